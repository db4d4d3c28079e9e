// atlas-page.mjs FILE…: the page docs/atlas.md from what `cutline clients verify --format json` said.
import { readFileSync } from 'node:fs';

const proofs = process.argv.slice(2).flatMap(file => {
  const text = readFileSync(file, 'utf8');
  return text.trim() ? JSON.parse(text).proofs : [];
});
const date = new Date().toISOString().slice(0, 10);
const count = (proof, verdict) => proof.facts.filter(fact => fact.verdict === verdict).length;
const cells = proofs.reduce((sum, proof) => sum + proof.cells, 0);
const equal = proof => new Set(proof.facts.flatMap(fact => fact.against.map(one => one.cell))).size;

console.log(`# The atlas

Every client that runs here, in the versions of its profile, over the cells of \`experiments/atlas\`: what the profile
predicts beside what was on the wire. Written by \`make atlas\` on ${date}: ${cells} cells. How a fact is confirmed is in
[proving.md](proving.md).

| client | version | cells | gave nothing | differ | facts confirmed | contradicted | not tested |
|---|---|---|---|---|---|---|---|`);
for (const proof of proofs)
  console.log(`| ${proof.client} | ${proof.version} | ${proof.cells} | ${proof.failed} | ${equal(proof)} | ` +
    `${count(proof, 'confirmed')} | ${count(proof, 'contradicted')} | ${count(proof, 'not-tested')} |`);

const wrong = proofs.flatMap(proof => proof.facts.filter(fact => fact.verdict === 'contradicted').map(fact => ({ proof, fact })));
if (wrong.length > 0) console.log('\n## Contradicted\n');
for (const { proof, fact } of wrong) {
  console.log(`- ${proof.client} ${proof.version}: \`${fact.fact}\` (${fact.conditions})`);
  for (const one of fact.against.slice(0, 3))
    console.log(`  - ${one.cell}, ${one.what}: predicted \`${one.predicted}\`, measured \`${one.measured}\``);
}
const failed = proofs.filter(proof => proof.problems.length > 0);
if (failed.length > 0) console.log('\n## Cells that gave nothing to compare\n');
for (const proof of failed)
  for (const problem of proof.problems) console.log(`- ${problem.replaceAll('\n', ' ')}`);
