import type { ColumnEdit } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { judgeAnswer, judgeRepair } from './judge-answer.ts'
import { withoutStrays } from './edit-table.ts'
import { about, inputOf, proposal, subjectOf } from './testing/subject.ts'

const input = { ...inputOf(), allowExpressions: false }

function judge(columns: readonly ColumnEdit[], description: string | null = null) {
  return judgeAnswer(JSON.stringify({ description, columns }), input)
}

/** The columns of use with their names, and what was wrong. */
function outcome(columns: readonly ColumnEdit[], description: string | null = null) {
  const reading = judge(columns, description)
  const violations = reading.violations.map(({ code, ordinal }) => `${code} ${ordinal ?? ''}`.trim())
  if (!('value' in reading)) return { violations }
  return {
    used: reading.value.columns.map(({ name, ordinal }) => `${ordinal} ${name}`),
    description: reading.value.description,
    violations,
  }
}

test('a wrong column does not affect the others', () => {
  const columns = [about(2, { name: 'buyer' }), about(3, { name: 'select' }), about(4, { name: 'total' })]
  expect(outcome(columns, 'What was bought.')).toEqual({
    used: ['2 buyer', '4 total'],
    description: 'What was bought.',
    violations: ['RESERVED_NAME 3'],
  })
})

test('a wrong description does not affect the columns', () => {
  expect(outcome([about(3, { name: 'remark' })], '<b>')).toEqual({
    used: ['3 remark'],
    description: null,
    violations: ['ILLEGAL_DESCRIPTION'],
  })
})

test('a wrong test does not affect its column', () => {
  const tests = [proposal('not_null'), proposal('relationships'), proposal('unique'), proposal('unique')]
  const reading = judge([about(3, { name: 'remark', tests })])
  expect(reading).toMatchObject({
    value: { columns: [{ ordinal: 3, name: 'remark', tests: [proposal('not_null')] }] },
  })
  expect(reading.violations.map(({ code }) => code)).toEqual(['ILLEGAL_TEST', 'ILLEGAL_TEST'])
})

test('of two columns with the same proposed name, neither gets it', () => {
  const columns = [about(3, { name: 'x' }), about(4, { name: 'x' }), about(6, { name: 'seen_at' })]
  expect(outcome(columns)).toMatchObject({
    used: ['6 seen_at'],
    violations: ['NAME_TAKEN 3', 'NAME_TAKEN 4'],
  })
})

test('two swapped names are both refused', () => {
  const columns = [about(3, { name: 'amount' }), about(4, { name: 'note' }), about(2, { name: 'buyer' })]
  expect(outcome(columns)).toMatchObject({ used: ['2 buyer'] })
})

test('a column that falls back to its own name takes it from a column that proposed it', () => {
  const columns = [about(6, { name: 'select' }), about(3, { name: 'seen_at' }), about(4, { name: 'total' })]
  const subject = subjectOf()
  const ruled = subject.columns.find(({ ordinal }) => ordinal === 6)?.name
  const wanted = columns.map((edit) => (edit.ordinal === 3 ? { ...edit, name: ruled ?? '' } : edit))
  expect(outcome(wanted)).toMatchObject({
    used: ['4 total'],
    violations: ['RESERVED_NAME 6', 'NAME_TAKEN 3'],
  })
})

test('an unknown ordinal does not affect the others, unless all are shifted', () => {
  expect(outcome([about(3, { name: 'remark' }), about(99, { name: 'x' })])).toMatchObject({
    used: ['3 remark'],
    violations: ['UNKNOWN_ORDINAL'],
  })
  const all = (from: number) => [0, 1, 2, 3, 4, 5].map((step) => about(from + step, { description: 'It.' }))
  expect(outcome(all(0))).toEqual({ violations: ['UNKNOWN_ORDINAL'] })
  expect(outcome(all(2))).toEqual({ violations: ['UNKNOWN_ORDINAL'] })
  expect(outcome([...all(1), about(7)]).used).toHaveLength(6)
})

test('an empty answer is valid; an answer without a usable part is not', () => {
  expect(outcome([])).toEqual({ used: [], description: null, violations: [] })
  expect(outcome([about(3), about(4, { name: 'select' })])).toEqual({ violations: ['RESERVED_NAME 4'] })
})

test('it is worth asking again if most of the answer is wrong', () => {
  const wrong = [about(2, { name: 'select' }), about(3, { name: 'user' })]
  expect(judge([...wrong, about(4, { name: 'total' })])).toMatchObject({ isWorthAsking: true })
  const right = [about(4, { name: 'total' }), about(6, { name: 'seen_at' })]
  expect(judge([...wrong, ...right])).toMatchObject({ isWorthAsking: false })
})

test('a repair corrects the wrong parts and keeps the rest', () => {
  const first = judge([about(2, { name: 'select' }), about(3, { name: 'user' }), about(4, { name: 'total' })])
  if (!('value' in first)) throw new Error('there is no value')
  const columns = [about(2, { name: 'buyer' }), about(3, { name: 'total' }), about(4, { name: 'other' })]
  const second = judgeRepair(JSON.stringify({ columns }), input, first.value)
  expect(second).toMatchObject({
    value: {
      columns: [
        { ordinal: 4, name: 'total' },
        { ordinal: 2, name: 'buyer' },
      ],
      dropped: ['select', 'user', 'total'],
    },
    violations: [{ code: 'NAME_TAKEN', ordinal: 3 }],
    isWorthAsking: false,
  })
})

test('a description does not mention a name that its column did not get', () => {
  const dropped = ['customer_number', 'remark']
  const columns = [
    about(2, { name: 'buyer', description: 'Beside customer_number.' }),
    about(3, { description: 'A remark on customer_numbers.' }),
    about(4, { description: 'See `remark`.' }),
  ]
  const usable = { description: 'By Customer_Number.', columns, dropped }
  const { edit, warnings } = withoutStrays(usable, subjectOf())
  expect(edit.description).toBeNull()
  expect(edit.columns.map(({ description, name }) => [name, description])).toEqual([
    ['buyer', null],
    [null, 'A remark on customer_numbers.'],
    [null, null],
  ])
  expect(warnings.map(({ column }) => column)).toEqual([undefined, 'customer', 'amount'])
  const taken = { ...usable, columns: [...columns, about(6, { name: 'customer_number' })] }
  expect(withoutStrays(taken, subjectOf()).edit.description).toBe('By Customer_Number.')
})

test.each([
  ['without ordinals', (text: string) => text.replaceAll(/"ordinal":\d+,/g, '')],
  [
    'counted from zero',
    (text: string) => text.replaceAll(/"ordinal":(\d+)/g, (_, at) => `"ordinal":${Number(at) - 2}`),
  ],
])('columns %s are asked for again, though the description is of use', (_, change) => {
  const columns = [about(2, { name: 'buyer' }), about(3, { name: 'remark' }), about(4, { name: 'total' })]
  const answer = change(JSON.stringify({ description: 'What was bought.', columns }))
  expect(judgeAnswer(answer, input)).toMatchObject({
    value: { description: 'What was bought.', columns: [] },
    isWorthAsking: true,
  })
})
