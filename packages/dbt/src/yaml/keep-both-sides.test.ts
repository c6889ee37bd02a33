import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { keepBothSides } from './keep-both-sides.ts'

const HEAD = 'version: 2\n\nsources:\n  - name: shop\n    tables:\n      - name: fees\n'

const conflict = (ours: string, theirs: string, base = ''): string =>
  `<<<<<<< HEAD\n${ours}${base}=======\n${theirs}>>>>>>> other\n`

test('keeps the entries of both sides in the order of their names, with their comments', () => {
  const text = HEAD + conflict('      - name: rents # ours\n', '      - name: loans # theirs\n')
  expect(keepBothSides(text)).toBe(`${HEAD}      - name: loans # theirs\n      - name: rents # ours\n`)
})

test('completes entries whose equal last lines git shows once', () => {
  const shared = '        columns:\n          - name: id\n\nmodels: []\n'
  const text = `${HEAD}${conflict('      - name: loans\n', '      - name: rents\n')}${shared}`
  const kept = keepBothSides(text) ?? ''
  expect(parse(kept)).toEqual({
    version: 2,
    sources: [
      {
        name: 'shop',
        tables: [
          { name: 'fees' },
          { name: 'loans', columns: [{ name: 'id' }] },
          { name: 'rents', columns: [{ name: 'id' }] },
        ],
      },
    ],
    models: [],
  })
})

test('keeps the blank line between entries', () => {
  const model = (name: string): string => `  - name: ${name}\n    columns:\n      - name: ${name}_id\n`
  const head = `models:\n${model('a')}\n`
  expect(keepBothSides(head + conflict(model('b'), model('c')))).toBe(`${head}${model('b')}\n${model('c')}`)
})

test('keeps the columns and the tests that both sides added to one entry', () => {
  const column = (name: string): string => `      - name: ${name}\n`
  const text = `models:\n  - name: a\n    columns:\n${column('id')}${conflict(column('x'), column('y'))}`
  expect(keepBothSides(text)).toBe(
    `models:\n  - name: a\n    columns:\n${column('id')}${column('x')}${column('y')}`,
  )
  const tests = `models:\n  - name: a\n    data_tests:\n${conflict('      - b\n', '      - c\n')}`
  expect(keepBothSides(tests)).toBe('models:\n  - name: a\n    data_tests:\n      - b\n      - c\n')
})

test('resolves several conflicts, with the line ends of Windows and the base that git shows', () => {
  const text =
    HEAD +
    conflict('      - name: loans\n', '      - name: rents\n', '||||||| 1a2b\n') +
    `models:\n  - name: a\n${conflict('  - name: b\n', '  - name: c\n')}`
  expect(keepBothSides(text.replaceAll('\n', '\r\n'))).toBe(
    `${HEAD}      - name: loans\n      - name: rents\nmodels:\n  - name: a\n  - name: b\n  - name: c\n`.replaceAll(
      '\n',
      '\r\n',
    ),
  )
})

test.each([
  ['no conflict', HEAD],
  ['two values', `models:\n  - name: a\n${conflict('    description: x\n', '    description: y\n')}`],
  [
    'two entries of one name',
    HEAD + conflict('      - name: a\n        meta: 1\n', '      - name: a\n        meta: 2\n'),
  ],
  ['a removal', HEAD + conflict('', '      - name: rents\n')],
  ['a change', HEAD + conflict('      - name: a\n', '      - name: b\n', '||||||| 1a2b\n      - name: c\n')],
  ['invalid YAML', HEAD + conflict('      - name: [a\n', '      - name: b\n')],
  ['equal entries', HEAD + conflict('      - name: a\n', '      - name: a\n')],
  ['markers in another order', `${HEAD}=======\n>>>>>>> other\n<<<<<<< HEAD\n`],
  ['an unfinished marker', `${HEAD}<<<<<<< HEAD\n      - name: a\n`],
])('leaves %s alone', (_, text) => {
  expect(keepBothSides(text)).toBeUndefined()
})
