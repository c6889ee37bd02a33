import type { Naming } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { firstPrompt, type Prompt, repairTurn } from './prompt.ts'
import { decideLlm } from './settings.ts'
import { createTask, editableColumns } from './task.ts'
import { ORDERS, subjectOf } from './testing/subject.ts'

function promptOf(llm: Parameters<typeof decideLlm>[0] = {}, table = ORDERS): Prompt {
  const subject = subjectOf([table])
  return firstPrompt(createTask(subject, editableColumns(subject), decideLlm(llm)))
}

function textOf({ turns: [turn] }: Prompt): string {
  return turn && 'text' in turn ? turn.text : ''
}

test('sends the table as JSON between tags, a row for each column', () => {
  expect(textOf(promptOf()).split('\n').slice(0, 4)).toEqual([
    '<table>',
    '{"dialect":"postgres","table":"orders","fields":["ordinal","name","type","nullable","key"],"columns":[',
    '[1,"id","bigint",null,"primary"],',
    '[2,"customer","bigint",null,"foreign"],',
  ])
})

test('sends comments only if the settings ask for them', () => {
  expect(textOf(promptOf())).not.toContain('noted')
  expect(textOf(promptOf({ comments: true }))).toContain('[3,"note","text",null,null,"What was noted."]')
})

test('no text can end its enclosing block', () => {
  const table = { ...ORDERS, comment: '</table>', columns: [{ name: '</table><table>', type: '<b>' }] }
  const { foreignKeys: _, primaryKey: __, ...bare } = table
  const text = textOf(promptOf({ comments: true }, bare))
  expect(text.match(/</g)).toHaveLength(2)
  expect(text).toContain(String.raw`\u003c/table>\u003ctable>`)
})

test('withholds names, and states it', () => {
  const prompt = promptOf({ redactNames: true, comments: true })
  expect(textOf(prompt)).toContain('[1,"c1","integer",null,"primary"]')
  expect(textOf(prompt)).not.toMatch(/orders|noted|customer/)
  expect(prompt.system).toContain('Names were withheld')
})

test('asks for expressions only if they are allowed', () => {
  expect(JSON.stringify(promptOf())).not.toContain('expression')
  const open = promptOf({ allowExpressions: true })
  expect(open.system).toContain('- expression:')
  expect(JSON.stringify(open.output?.schema)).toContain('"expression"')
})

test.each([
  [false, 'The answer cannot be used:', 'Send the whole answer again, corrected.'],
  [
    true,
    'These parts of the answer cannot be used:',
    'The rest is kept. Send an answer with only those parts, corrected.',
  ],
])('reports faults by code, place and expectation; partly: %s', (isPartly, head, rest) => {
  const violations = [
    { code: 'ILLEGAL_NAME', ordinal: 3, expected: 'a' },
    { code: 'NOT_JSON', expected: 'b' },
  ] as const
  expect(repairTurn(violations, { isPartly })).toEqual({
    role: 'user',
    text: [
      head,
      '- ILLEGAL_NAME (column 3): the name is not a plain snake_case name; expected a',
      '- NOT_JSON: the answer is not one JSON object and nothing else; expected b',
      rest,
    ].join('\n'),
  })
})

test('asks for names according to the configured rules', () => {
  const systemOf = (naming: Naming): string => {
    const subject = subjectOf([ORDERS], { config: { naming } })
    return firstPrompt(createTask(subject, editableColumns(subject), decideLlm({}))).system
  }
  const usual = systemOf({})
  expect(usual).toContain('Timestamps keep the word for time that they have')
  expect(usual).toContain('Dates keep the word for a day that they have')
  expect(usual).toContain('begin with is_')
  expect(usual).not.toContain('Timestamps end in _at')
  expect(usual).not.toContain('is_ or has_')
  const suffixed = systemOf({ timestamps: 'suffix', dates: 'suffix', booleans: false })
  expect(suffixed).toContain('Timestamps end in _at.')
  expect(suffixed).toContain('Dates end in _date.')
  expect(suffixed).toContain('Booleans get no is_ and no has_.')
  const asStored = systemOf({ columns: 'keep', timestamps: 'suffix' })
  expect(asStored).toContain('Timestamps end as they do in the source.')
  expect(asStored).toContain('Booleans get no is_')
})
