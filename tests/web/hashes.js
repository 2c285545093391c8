// Runs the playground's module in Node: reads [[lab, points], …] from standard input and prints for each the state hash
// at the end and the structures: of each layer the ends of its segments, as numbers of the page's view.
const make = require(process.argv[2]);
make().then((module) => {
  const ask = (request) => {
    const answer = JSON.parse(module.ccall("flipscope_answer", "string", ["string"], [JSON.stringify(request)]));
    if (answer.error) throw new Error(JSON.stringify(request) + ": " + answer.error);
    return answer;
  };
  const { cases, display, beta, alpha } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const results = cases.map(([lab, points]) => {
    ask({ do: "open", lab, points });
    const { hash } = ask({ do: "finish" }), { steps: [step], arrays } = ask({ do: "scene", display, beta, alpha });
    const array = (k) => Array.from(new Int32Array(module.HEAP32.buffer, ...arrays[k])), structures = {};
    const [view] = step.views;
    for (const layer of view.layers) {
      if (!(layer.id in display) || layer.kind !== "segments") continue;
      const places = array(layer.places), ends = layer.ends === undefined ? places.map((_, i) => i) : array(layer.ends);
      structures[layer.id] = [];
      for (let i = 0; i < 2 * layer.count; i += 2)
        structures[layer.id].push([ends[i], ends[i + 1]].flatMap((end) => [places[2 * end], places[2 * end + 1]]));
    }
    return { hash, structures, low: view.low, unit: view.unit, points: ask({ do: "points" }) };
  });
  console.log(JSON.stringify(results));
});
