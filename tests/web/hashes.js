// Runs the playground's module in Node: reads [[lab, points, parameters], …] from standard input and prints the state
// hashes at the ends, and the milliseconds that they took, as JSON.
const make = require(process.argv[2]);
make().then((module) => {
  const ask = (request) => {
    const answer = JSON.parse(module.ccall("flipscope_answer", "string", ["string"], [JSON.stringify(request)]));
    if (answer.error) throw new Error(JSON.stringify(request) + ": " + answer.error);
    return answer;
  };
  const results = JSON.parse(require("fs").readFileSync(0, "utf8")).map(([lab, points, parameters]) => {
    ask({ do: "open", lab, points, parameters });
    const { hash, ms } = ask({ do: "finish" });
    return { hash, ms };
  });
  console.log(JSON.stringify(results));
});
