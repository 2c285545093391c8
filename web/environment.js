// The core tests under Node read the environment.
Module.preRun = () => Object.assign(Module.ENV || ENV, process.env);
