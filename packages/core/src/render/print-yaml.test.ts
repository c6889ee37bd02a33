import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createYamlPrinter, indentLines } from './print-yaml.ts'

const TEXTS = ['id', 'no', '12:30', '---', '... a', '%a', 'a: b', '#', '', ' a', 'a\nb\n', 'word '.repeat(30)]
const TREES = TEXTS.flatMap((text) => [
  text,
  [text],
  [{ [text]: text, nested: [{ deep: [[text]], [text]: [text] }] }],
])

test('prints the same text, whatever it printed before', () => {
  const printYaml = createYamlPrinter()
  for (const tree of [...TREES, ...TREES.toReversed()])
    expect(printYaml(tree)).toBe(createYamlPrinter()(tree))
})

test.each(['no', '12:30', '2024-01-01', '1_000', 'null', '0o17', '~', '=', '<<'])(
  'puts %s in quotes, which a reader may not read as text',
  (text) => expect(createYamlPrinter()([{ [text]: text }])).toBe(`- "${text}": "${text}"`),
)

test.each(['\u0085', '\u2028', '\u2029', '\uFEFF', '\u202E', '\u2066', '\u200B', '\u00AD', '\u{E0041}'])(
  'escapes %j, which is invisible or breaks a line',
  (text) => {
    const printed = createYamlPrinter()([{ [text]: `a${text}b` }])
    expect(printed).not.toContain(text)
    for (const version of ['1.1', '1.2'] as const) {
      expect(parse(printed, { version })).toEqual([{ [text]: `a${text}b` }])
    }
  },
)

test('never begins a block with a tab', () => {
  expect(createYamlPrinter()([{ a: '\n\tb\nc' }])).toBe(String.raw`- a: "\n\tb\nc"`)
})

/** Long enough to be folded, at the width of the lines, in the middle of words and at quotes. */
const PIECES = [
  ...'=<-.:0y@!%|>#?,[{}\'"\\\t \n\r\u0085\u2028\uFEFF\u202E\u200B\u00ADé😀~_$'.split(''),
  ...'&a *a << no No yes on off y 12:30 2024-01-01 0o7 1_0 .inf null True e0 E12 e-1 --- ... ? - id status'.split(
    ' ',
  ),
  ': ',
  ' #',
  ' ',
  '  ',
  '\n\n',
  'word word word ',
  'numeric(18, 2)',
  "the customer's ",
  'The identifier of the customer who paid',
  'one of: ',
  '{{ name }} ',
  'w'.repeat(80),
]
const nastyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''))
const someText = fc.oneof(nastyText, fc.string(), fc.constantFrom(...TEXTS, 'id', 'created_at'))
const someKey = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('name', 'description', 'data_tests', 'dbt_utils.one', 'k'.repeat(60)),
  },
  { weight: 1, arbitrary: someText },
)
const someTree = fc.letrec<{ value: unknown; list: unknown[]; object: object }>((tie) => ({
  value: fc.oneof(
    { weight: 6, arbitrary: someText },
    { weight: 1, arbitrary: fc.oneof(fc.boolean(), fc.integer(), fc.maxSafeInteger()) },
    { weight: 2, arbitrary: tie('object') },
    { weight: 2, arbitrary: tie('list') },
  ),
  list: fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'tree' }),
  object: fc.dictionary(someKey, tie('value'), {
    maxKeys: 4,
    depthIdentifier: 'tree',
    noNullPrototype: true,
  }),
}))

test('prints the same bytes as the library, which prints trees with a null itself', () => {
  const printYaml = createYamlPrinter()
  const property = fc.property(fc.array(someTree.value, { minLength: 1, maxLength: 3 }), (tree) => {
    expect(`${printYaml(tree)}\n- null`).toBe(printYaml([...tree, null]))
    const object = { one: tree[0], two: tree }
    expect(`${printYaml(object)}\nthree: null`).toBe(printYaml({ ...object, three: null }))
  })
  fc.assert(property, { numRuns: 300 })
})

test.each([0, 1, 2, 3, 5, 8, 14])('folds at any place in a tree of depth %i', (depth) => {
  const printYaml = createYamlPrinter()
  for (let length = 15; length < 85; length += 3) {
    for (const end of ['', ':', ' # a, b or c of them', ' and more words', '\nx', " it's: 1", ' "a": 1']) {
      const text = `${'some words '.repeat(10).slice(0, length).trimEnd()}${end}`
      let tree: object = { name: text, [`k${'e'.repeat(length)}`]: text, list: [text, `${text} ${text}`] }
      for (let level = 0; level < depth; level++) tree = level % 2 === 0 ? [tree] : { key: tree, text }
      const list = [tree, text]
      expect(`${printYaml(list)}\n- null`).toBe(printYaml([...list, null]))
    }
  }
})

test('indents like the filter for lines', () => {
  const printYaml = createYamlPrinter()
  const property = fc.property(someTree.value, (tree) => {
    expect(printYaml(tree, 6)).toBe(indentLines(printYaml(tree), 6))
  })
  fc.assert(property, { numRuns: 300 })
})
