import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, parseDocument, stringify } from 'yaml'
import { repositoryPath } from '../../../../test/paths.ts'
import { writeYaml } from '../../../../test/properties/hand-written-yaml.ts'
import { readPlain, readYaml } from './read-yaml.ts'

const asYaml = (text: string): unknown =>
  parse(text, { logLevel: 'silent', uniqueKeys: false, merge: true, prettyErrors: false })

/** The data, or the message of what is wrong. */
function attempt(read: () => unknown): unknown {
  try {
    return { data: read() }
  } catch (error) {
    return String(error)
  }
}

test('files in as many hands say what they say to yaml', () => {
  let plain = 0
  for (let seed = 0; seed < 120; seed += 1) {
    const text = writeYaml(seed)
    expect(readYaml(text)).toEqual(asYaml(text))
    if (readPlain(text) !== undefined) plain += 1
  }
  expect(plain).toBeGreaterThan(5)
})

test('generated files are read line by line, and say what they say to yaml', () => {
  const folder = repositoryPath('test/golden')
  const paths = readdirSync(folder, { recursive: true }).map(String)
  const files = paths.filter((path) => /expected.*\.yml$/.test(path))
  const texts = files.map((path) => readFileSync(`${folder}/${path}`, 'utf8'))
  expect(texts.map((text) => readYaml(text))).toEqual(texts.map(asYaml))
  const slow = files.filter((_, index) => readPlain(texts[index] ?? '') === undefined)
  expect(slow.length / files.length).toBeLessThan(0.02)
})

/** Lines of which some make YAML, and some do not. */
const LINES = [
  'models:',
  'a: b',
  'a: "b: c"',
  "a: 'it''s'",
  'a: b # c',
  'a: b #c',
  'a: b: c',
  'a: |-',
  'a: >',
  'a: &x b',
  'a: *x',
  'a: {b: c}',
  'a: [b,',
  'c]',
  'a: null',
  'a: True',
  'a: 007',
  'a: 1.5',
  'a: -1',
  'a: 2024-01-01',
  'a: 9007199254740993',
  'a: ~',
  'a:',
  'a: ',
  'toString: x',
  '__proto__: x',
  'true: x',
  '<<: {b: c}',
  '- a',
  '-',
  '- name: x',
  '-  name: x',
  '- - a',
  '- a: b',
  '- "a": b',
  '- # c',
  '# c',
  'words of a text',
  'über: ß',
  '???',
  '',
  '---',
  '\t',
  'b: c ',
  'b : c',
  '"a',
  'b"',
]

test('texts of any lines say what they say to yaml, or have the same fault', () => {
  const line = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(...LINES))
  const text = fc
    .array(line, { maxLength: 8 })
    .map((lines) => lines.map(([depth, rest]) => `${' '.repeat(depth)}${rest}`).join('\n'))
  const property = fc.property(text, (yaml) => {
    expect(attempt(() => readYaml(yaml))).toEqual(attempt(() => asYaml(yaml)))
    if (readPlain(yaml) !== undefined)
      expect(parseDocument(yaml, { merge: true, uniqueKeys: false }).errors).toEqual([])
  })
  expect(() => fc.assert(property, { numRuns: 2000 })).not.toThrow()
})

test.each(['a: {{ doc("x") }}', 'a:\n  - {[b]: c}', 'a: # d\n  ? [b]\n  : c'])(
  'leaves a map or list as a key to yaml: %j',
  (text) => {
    expect(readPlain(text)).toBeUndefined()
  },
)

test('data that yaml printed comes back', () => {
  const { tree } = fc.letrec<{ readonly tree: unknown; readonly map: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.lorem({ mode: 'sentences', maxCount: 4 }),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 3 }),
      tie('map'),
    ),
    map: fc.dictionary(
      fc.oneof(fc.stringMatching(/^[a-z_]{1,9}$/), fc.string({ maxLength: 5 })),
      tie('tree'),
      {
        maxKeys: 4,
      },
    ),
  }))
  const property = fc.property(
    fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), tree, { maxKeys: 4 }),
    (data) => {
      const text = stringify(data)
      expect(readYaml(text)).toEqual(asYaml(text))
    },
  )
  expect(() => fc.assert(property, { numRuns: 300 })).not.toThrow()
})
