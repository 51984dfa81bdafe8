// Makes js.json: what JavaScript itself says about white space, cuts, numbers, strings, texts and dates.
// Run with Node 20 in this folder: node make.mjs
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const units = (s) => Array.from({ length: s.length }, (_, i) => s.charCodeAt(i));

if (process.argv[2] === "dates") {
  // child: Date.parse in the time zone of the environment
  const texts = JSON.parse(process.argv[3]);
  console.log(JSON.stringify(texts.map((t) => Date.parse(t))));
  process.exit();
}

const spaces = [];
for (let n = 0; n <= 0x10ffff; n++) {
  const c = String.fromCodePoint(n);
  const trimmed = c.trim() === "";
  if (trimmed !== /^\s$/u.test(c)) throw new Error(`trim and \\s differ at ${n}`);
  if (trimmed) spaces.push(n);
}

const cuts = [];
for (const text of ["", "abc", "é1", "a😀b", "😀😀", "漢字𝄞x"]) {
  for (let max = 0; max <= text.length + 1; max++) {
    // the longest start that is well formed and no longer than slice(0, max)
    let out = text.slice(0, max);
    if (!out.isWellFormed()) out = out.slice(0, -1);
    cuts.push({ text, length: text.length, max, out });
  }
}

const collapse = ["", " ", "a", " a  b ", "\ta\n\n\u3000b\u00a0", "a\u0085b", "\ufeffa\ufeffb", "a\u200bb", "\u2028x\u2029\u2029y"]
  .map((s) => [s, s.replace(/\s+/g, " ").trim()]);

// the exact value of a decimal text: mantissa without trailing zeros, exponent of ten
function decimal(text) {
  const [, sign, whole, part = "", exp = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  let m = BigInt(whole + part);
  let e = BigInt(exp) - BigInt(part.length);
  if (m === 0n) return "0";
  while (m % 10n === 0n) { m /= 10n; e += 1n; }
  return `${sign}${m}e${e}`;
}
const numbers = `0 -0 0.0 -0.0 0e5 -0E-5 0e999999 1 -1 9 10 123 1.0 1.50 -1.0 1E2 1e2 1e+2 1E-2 100 1e0 0.1 0.10 0.2 0.30000000000000004
  0.3000000000000000400 0.1000000000000000055511151231257827 999999999999999 1234567890123456 9007199254740991 9007199254740992
  9007199254740993 -9007199254740993 9007199254740994 12345678901234567890 12345678901234567000 -12345678901234567890
  123456789012345678901234567890 1e20 1e21 1e22 1e23 100000000000000000000 1000000000000000000000 1000000000000000000001 999999999999999999999 -999999999999999868928 -1000000000000000000000
  999999999999999900000 1e-6 1e-7 0.000001 0.0000001 0.00000123 1.5e-7 123e-20 5e-324 4.9e-324 4.940656458412465e-324 2e-324 1e-400 -1e-400 1e400 -1e400
  1.7976931348623157e308 1.7976931348623157e+308 1.7976931348623159e308 2.2250738585072014e-308 2.225073858507201e-308
  179769313486231570000e288 3.14159 3.141592653589793 3.1415926535897932 3.141592653589793238 1733234567890 1733234567890.5 0.00123 0.0012300
  1e1 10e-1 100e-2 0.001e3 12.5e1 1234.5678e-2 4.35 0.000035 6.62607015e-34 6.02214076e23 602214076000000000000000 1e5 1.0e5 2.50E+1
  18446744073709551615 18446744073709551616 9223372036854775807 4294967295 0.1e1 99999999999999990000000 5.0e-324 271239667846596.125 271239667846596.12 271239667846596.13 1e0000000002 1e-0000000002`
  .split(/\s+/).map((raw) => {
    const js = JSON.stringify(JSON.parse(raw));
    return { raw, js, exact: js !== "null" && decimal(raw) === decimal(js) };
  });

// the inside of a string, as bytes of a file: Node decodes the bytes first, then parses
const inner = ["", "abc", "grün 😀", "\\n\\t\\r\\b\\f\\\"\\\\\\/", "a\\u0041\\u00e9\\u20AC", "\\u0000\\u001f\\u007f", "\\ud83d\\ude00", "\\uD83D\\uDE00",
  "\\ud83d", "\\ude00", "\\ude00\\ud83d", "\\ud83d\\ud83d\\ude00", "\\ud83d\\ude00\\ude00", "x\\ud83dx\\ude00", "\\ud83d😀", "\\ud83d\\n\\ude00",
  "\\udbff\\udfff", "\\ud800\\udc00", "\\ud7ff\\ue000", "\\u2028\u2028\\u2029", "/\\/", "\u007f", "\\\\ud83d", "\\\\\\ud83d", "é\\ud800é", "\\ud83d\\u0041", "\\ufeff\\ufffd\\uffff"]
  .map((s) => Buffer.from(s));
const broken = ["ff", "61ff62", "c3", "c328", "e282", "e28261", "f09f98", "f09f9861", "eda080", "edb080", "eda0bdedb880", "c080", "f4908080", "80", "f0c2a0",
  "5c6eff5c6e", "f09f5c6e98", "c35c7564383364", "5c7564383364eda080", "e0805c6e", "fefffe", "f8888080"].map((s) => Buffer.from(s, "hex"));
const strings = [...inner, ...broken].map((raw) => {
  const value = JSON.parse(`"${raw.toString("utf8")}"`);
  return { hex: hex(raw), units: units(value), stringified: JSON.stringify(value).slice(1, -1) };
});

// whole texts; no number among them is one that JavaScript rounds
const deep = (n) => "[".repeat(n) + "]".repeat(n);
const texts = ["null", "true", " false ", "0", "-0", "1.0", '""', '"a"', "[]", "{}", " [ ] ", "\t{ }\r\n", "[ 1 , 2 ,\n3 ]", '{"a":1}', '{ "a" : 1 , "b" : [ ] }',
  '{"a":1,"b":2,"a":3}', '{"a":1,"\\u0061":2}', '{"b":1,"a":2}', '{"b":1,"10":2,"9":3,"a":4,"0":5}', '{"01":1,"1":2,"-1":3,"1.0":4,"1e0":5,"+1":6," 1":7}',
  '{"x":0,"4294967294":1,"4294967295":2,"4294967296":3,"4294967293":4}', '{"x":0,"99999999999999999999":1,"9007199254740991":2,"7":3}', '{"\\u0031":1,"0":2,"1":3}', '{"":1,"a":2,"":3}',
  '{"__proto__":1,"a":2}', '{"a":1,"__proto__":{"b":2}}', '{"__proto__":1,"__proto__":{"x":[]}}', '{"constructor":1,"toString":2,"length":3,"2":4}',
  '{"a":{"b":1,"b":2},"a":{"c":1,"1":[{"z":1,"0":1}],"0":{}}}', '[{"b":1,"1":{"b":2,"1":3}},{"b":1,"a":2}]', '{"1":1,"1":2,"a":{},"1":{"2":[],"1":[]}}',
  '{"\\ud83d":1,"\\ud83d":2,"😀":3,"\\ud83d\\ude00":4}', '["\\u00e9","\\/","\\u2028","\\ud83d","\\ud83d\\ude00","a\\u0000"]', "[1.0,1E2,-0,1e21,1e-7,0.10]",
  '{"type":"message","id":"a1","message":{"role":"user","content":[{"type":"text","text":"hi \\"x\\" \\u003c"}],"timestamp":1733234567890}}',
  '{"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"k10":10,"k3":"again","5":5,"k12":12,"3":3,"k0":"again","k11":[ ]}',
  '{"a":{"a":{"a":{"a":1,"0":2,"a":3},"0":4},"0":5},"0":6}', '{"q":"]}{[,:\\"","r":"\\\\","0":"}"}', '[[],{},[[]],[{}],{"a":[]},{"a":{}}]', `${deep(50)}`, '{"2":0,"10":0,"1":0,"100":0,"20":0,"3":0,"11":0,"0":0,"a":0}']
  .map((s) => Buffer.from(s));
const brokenTexts = ["5b22ff222c2022e282225d", "7b22ff223a312c22fe223a327d", "7b22eda080223a312c2230223a327d", "7b22efbfbd223a312c22ff223a327d"].map((s) => Buffer.from(s, "hex"));
const textVectors = [...texts, ...brokenTexts].map((raw) => ({ hex: hex(raw), out: JSON.stringify(JSON.parse(raw.toString("utf8"))) }));

const iso = [0, 1, -1, 999, 1000, 1733234400000, 951782400000, 951868800000, -62167219200000, -62167219200001, -62198755200000, 253402300799999, 253402300800000,
  -2208988800000, 8640000000000000, -8640000000000000, 8640000000000001, -8640000000000001, 4107542400000, 68169600000, -86400000, -86400001, 1709164800000, 9007199254740991]
  .map((ms) => { const d = new Date(ms); return [ms, isNaN(d) ? null : d.toISOString()]; });

const dateTexts = `2024-12-03T14:00:00.000Z 2024-12-03T14:00:00.001Z 1970-01-01T00:00:00.000Z 1969-12-31T23:59:59.999Z 0000-01-01T00:00:00.000Z 9999-12-31T23:59:59.999Z 2024-02-29T23:59:59.999Z
  1900-03-01T00:00:00.000Z 2000-02-29T00:00:00.000Z 2024-12-03T24:00:00.000Z 2024-12-31T24:00:00.000Z 2024-12-03T24:00:00.001Z 2024-12-03T24:01:00.000Z 2024-12-03T24:00:01.000Z 2024-12-03T25:00:00.000Z
  2024-12-03T14:60:00.000Z 2024-12-03T14:00:60.000Z 2024-13-03T14:00:00.000Z 2024-00-03T14:00:00.000Z 2024-12-00T14:00:00.000Z 2024-12-32T14:00:00.000Z 2024-12-03T14:00:00.00aZ 2024-12-03T14:00:00:000Z
  2024-12-03T14:00:00Z 2024-12-03T14:00Z 2024-12-03T24:00Z 2024-12-03T24:00:00.0000Z 2024-12-03T24:00:00.0001Z 2024-12-03T14:00:00.5Z 2024-12-03T14:00:00.12Z 2024-12-03T14:00:00.1234Z 2024-12-03T14:00:00.9999Z 2024-12-03T14:00:00.1234567890123456789012345Z 1969-12-31T23:59:59.9999Z
  2024-12-03T14:00:00+00:00 2024-12-03T14:00:00-00:00 2024-12-03T14:00:00+01:00 2024-12-03T14:00:00.25-05:30 2024-12-03T14:00:00+23:59 2024-12-03T14:00:00-23:59 2024-12-03T14:00:00+24:00 2024-12-03T14:00:00+01:60
  2024-12-03T14:00+05:00 2024-12-03T14:00:00+01 2024-12-03T14:00:00+1:00 2024-12-03T14:00:00+01:00Z 2024-12-03T14:00:00+01:000 2024-12-03t14:00:00z 2024-12-03T14:00:00z 2024-12-03_14:00:00Z 2024-12-03T14:00:00.Z 2024-12-03T14:00:00,5Z 2024-12-03T14Z 2024-12-03T
  2024-12-03 2024-02-29 2024-12 2024 1970-01-01 0000-01-01 2024-13-01 2024-00-01 2024-01-00 2024-01-32 2024-12-03+01:00
  2024-12-03T14:00:00 2024-12-03T14:00:00.123 2024-12-03T14:00 2024-12-03T24:00 2024-12T10:00 2024T10:00 2024T10:00Z
  +002024-12-03T14:00:00.000Z +012345-06-07T08:09:10.011Z -000001-12-31T23:59:59.999Z -000001-01-01 +000000-01-01 -000000-01-01T00:00:00Z +275760-09-13T00:00:00.000Z +275760-09-13T00:00:00.001Z +275760-09-13T01:00:00+01:00
  +275760-09-13T23:59:00+23:59 +275760-09-13 +275760-09-14 -271821-04-20T00:00:00.000Z -271821-04-19T23:59:59.999Z -271821-04-20 +999999-12-31T23:59:59.999Z -999999-01-01T00:00:00.000Z +02024-12-03T14:00:00Z +2024-12-03T14:00:00Z
  99999-01-01T00:00:00Z 20241203T140000Z 2024-12-03T4:00Z 2024-12-03T14:0Z 2024-12-03T14:00:0Z never 2024-12-03T14:00:00.000ZZ T14:00:00Z 14:00`
  .split(/\s+/).concat(["", " ", " 2024-12-03T14:00:00Z", "2024-12-03T14:00:00Z ", "2024-12-03 14:00:00Z", "2024-12-03 14:00:00.5", "2024-12-03 14:00:00+02:00", "2024-12-03T14:00:00 Z", "2024-12-03T14:00:00\u22120100", "２024-12-03"]);
const zone = (TZ) => JSON.parse(execFileSync(process.execPath, [process.argv[1], "dates", JSON.stringify(dateTexts)], { env: { TZ } }));
const [utc, east5] = [zone("UTC"), zone("Etc/GMT-5")];
const dates = dateTexts.map((text, i) => ({ text, utc: utc[i], east5: east5[i] }));

const sections = { spaces: [spaces], cuts, collapse, numbers, strings, texts: textVectors, iso, dates };
const rows = ([name, list]) => name === "spaces" ? `"spaces":${JSON.stringify(spaces)}` : `${JSON.stringify(name)}:[\n${list.map((row) => JSON.stringify(row)).join(",\n")}\n]`;
writeFileSync(new URL("js.json", import.meta.url), `{\n${Object.entries(sections).map(rows).join(",\n")}\n}\n`);
