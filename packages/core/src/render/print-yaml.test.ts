import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createYamlPrinter } from './print-yaml.ts'

const TEXTS = ['id', 'no', '12:30', '---', '... a', '%a', 'a: b', '#', '', ' a', 'a\nb\n', 'word '.repeat(30)]
const TREES = TEXTS.flatMap((text) => [
  text,
  [text],
  [{ [text]: text, nested: [{ deep: [[text]], [text]: [text] }] }],
])

test('prints the same whatever it printed before', () => {
  const printYaml = createYamlPrinter()
  for (const tree of [...TREES, ...TREES.toReversed()])
    expect(printYaml(tree)).toBe(createYamlPrinter()(tree))
})

test.each(['no', '12:30', '2024-01-01', '1_000', 'null', '0o17', '~', '=', '<<'])(
  'puts %s in quotes, which a reader may take for no text',
  (text) => expect(createYamlPrinter()([{ [text]: text }])).toBe(`- "${text}": "${text}"`),
)

test.each(['\u0085', '\u2028', '\u2029', '\uFEFF'])(
  'escapes %j, at which a reader may break the line',
  (text) => {
    const printed = createYamlPrinter()([{ [text]: `a${text}b` }])
    expect(printed).not.toContain(text)
    for (const version of ['1.1', '1.2'] as const) {
      expect(parse(printed, { version })).toEqual([{ [text]: `a${text}b` }])
    }
  },
)

test('begins no block with a tab', () => {
  expect(createYamlPrinter()([{ a: '\n\tb\nc' }])).toBe(String.raw`- a: "\n\tb\nc"`)
})
