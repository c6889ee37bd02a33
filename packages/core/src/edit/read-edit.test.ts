import { expect, test } from 'vitest'
import { readEdit } from './read-edit.ts'
import { about, proposal } from './testing/subject.ts'

const plain = { allowExpressions: false }
const edit = { description: null, columns: [about(1, { name: 'a' })] }
const json = JSON.stringify(edit)

test.each<[string, string]>([
  ['as it is', json],
  ['after a byte order mark', `\uFEFF${json}`],
  ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
  ['in a fence of no language', `\`\`\`\n${json}\n\`\`\``],
  ['with sentences around it', `Here is "the" edit, with {braces}:\n\n${json}\n\nTell me what you think.`],
  ['after a thought', `<think>Is it {"columns":[]}? No.</think>\n${json}`],
  ['after a thought whose tag the template ate', `Is it {"columns":[]}? No.\n</think>\n\n${json}`],
  ['said twice in the same way', `${json}\nSo once more: ${json}`],
  ['with commas too many', '{"description":null,"columns":[{"ordinal":1,"name":"a",},],}'],
  ['with an ordinal in quotes', '{"columns":[{"ordinal":"1","name":"a"}]}'],
  ['in a list', `[${json}]`],
  ['under a name', `{"answer":${json}}`],
  ['under a name beside a status', `{"status":"ok","result":${json}}`],
  ['in a list under a name', `{"answers":[${json}]}`],
  ['as a text', JSON.stringify(json)],
  ['under a name, as a text', JSON.stringify({ answer: json })],
  ['under a name, with sentences around it', `Sure:\n{"answer":${json}}\nDone.`],
  ['as a list of columns', '[{"ordinal":1,"name":"a"}]'],
  ['without what is null', '{"columns":[{"ordinal":1,"name":"a","tests":null}]}'],
  ['with an expression that is null', '{"columns":[{"ordinal":1,"name":"a","expression":null}]}'],
])('reads an edit %s', (_, text) => {
  expect(readEdit(text, plain)).toEqual({ edit, violations: [], unplaced: 0 })
})

test('leaves text in strings unchanged', () => {
  const said = { ...edit, description: 'Lists [1, 2, ] and ``` and {"columns":[]}' }
  const thought = { ...said, description: '<think> and </think>' }
  expect(readEdit(JSON.stringify(thought), plain)).toEqual({ edit: thought, violations: [], unplaced: 0 })
  expect(readEdit(`So: ${JSON.stringify(said).replace(']}]}', ']},]}')}`, plain)).toEqual({
    edit: said,
    violations: [],
    unplaced: 0,
  })
})

test.each([
  '',
  'a',
  '{"description":null,"columns":[',
  `<think>${json}`,
  `${json}\nor rather\n${json.replace('"a"', '"b"')}`,
  '{} {}',
  '{"a":NaN}',
  `{"description":null,"columns":[${JSON.stringify(about(1))}`,
  'x'.repeat(3_000_000),
])('guesses nothing: %.60j is no answer', (text) => {
  expect(readEdit(text, plain)).toEqual([{ code: 'NOT_JSON', expected: 'one JSON object and nothing else' }])
})

test.each(['{}', '[]', '1', 'null', '{"columns":{}}', '{"secret":1}'])(
  'reports that %j has the wrong form',
  (text) => {
    expect(readEdit(text, plain)).toMatchObject([{ code: 'WRONG_SHAPE' }])
    expect(JSON.stringify(readEdit(text, plain))).not.toContain('secret')
  },
)

test.each([
  `[${json},${json.replace('"a"', '"b"')}]`,
  `{"one":${json},"other":${json.replace('"a"', '"b"')}}`,
  `[[[[[${json}]]]]]`,
])('accepts none of several answers, and none that is nested deeply: %.60j', (text) => {
  const read = readEdit(text, plain)
  expect(read).toContainEqual({ code: 'WRONG_SHAPE', expected: expect.any(String) as string })
  expect(read).not.toHaveProperty('edit')
})

test('names places by keys of the schema, never by a key of the answer', () => {
  const text =
    '{"description":null,"columns":[{"ordinal":"secret","name":null,"secret":1,"description":null,"operation":"secret","tests":[]}]}'
  const read = readEdit(text, plain)
  expect(read).toMatchObject({
    edit: { columns: [] },
    violations: [
      { code: 'WRONG_SHAPE', expected: 'a number at .columns[0].ordinal' },
      { code: 'WRONG_SHAPE', expected: expect.stringMatching(/at \.columns\[0\]\.operation$/) as string },
      { code: 'UNKNOWN_KEY' },
    ],
  })
  expect(JSON.stringify(read)).not.toContain('secret')
})

test('leaves out a column or a test of the wrong form, and reads the rest', () => {
  const tests = [{ name: 'not_null' }, 'unique', { name: 'secret' }, 7]
  const columns = [{ ordinal: 1, tests }, { ordinal: 2, name: 5 }, 'secret', about(3)]
  expect(readEdit(JSON.stringify({ description: 5, columns }), plain)).toEqual({
    edit: {
      description: null,
      columns: [about(1, { tests: [proposal('not_null'), proposal('unique')] }), about(3)],
    },
    violations: [
      {
        code: 'WRONG_SHAPE',
        ordinal: 1,
        expected: expect.stringContaining('at .columns[0].tests[2].name') as string,
      },
      { code: 'WRONG_SHAPE', ordinal: 1, expected: 'an object at .columns[0].tests[3]' },
      { code: 'WRONG_SHAPE', ordinal: 2, expected: 'text at .columns[1].name' },
      { code: 'WRONG_SHAPE', expected: 'an object at .columns[2]' },
      { code: 'WRONG_SHAPE', expected: 'text or null at .description' },
    ],
    unplaced: 1,
  })
})

test('reports 20 faults of 1,000', () => {
  const read = readEdit(JSON.stringify({ description: null, columns: Array(1000).fill(1) }), plain)
  expect('violations' in read && read.violations).toHaveLength(20)
})

test('ignores members that the schema does not have, with one note for all', () => {
  const said = {
    description: null,
    confidence: 1,
    columns: [
      { ...about(1, { name: 'a', tests: [{ ...proposal('not_null'), why: 'secret' } as never] }), secret: 2 },
      { ...about(2, { name: 'b' }), reasoning: null },
    ],
  }
  expect(readEdit(JSON.stringify(said), plain)).toEqual({
    edit: {
      description: null,
      columns: [about(1, { name: 'a', tests: [proposal('not_null')] }), about(2, { name: 'b' })],
    },
    violations: [{ code: 'UNKNOWN_KEY', expected: 'only members of the schema' }],
    unplaced: 0,
  })
})

test('accepts an expression only if it is allowed', () => {
  const columns = [{ ...about(1), expression: 'a', type: null }]
  const text = JSON.stringify({ description: null, columns })
  expect(readEdit(text, plain)).toEqual({
    edit: { description: null, columns: [about(1)] },
    violations: [{ code: 'UNKNOWN_KEY', expected: 'only members of the schema' }],
    unplaced: 0,
  })
  expect(readEdit(text, { allowExpressions: true })).toMatchObject({ edit: { columns } })
})
