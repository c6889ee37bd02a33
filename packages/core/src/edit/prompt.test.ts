import { expect, test } from 'vitest'
import { firstPrompt, type Prompt, repairTurn } from './prompt.ts'
import { decideEditing } from './settings.ts'
import { createTask, editableColumns } from './task.ts'
import { ORDERS, subjectOf } from './testing/subject.ts'

function promptOf(editing: Parameters<typeof decideEditing>[0] = {}, table = ORDERS): Prompt {
  const subject = subjectOf([table])
  return firstPrompt(createTask(subject, editableColumns(subject), decideEditing(editing)))
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

test('sends comments only where they are asked for', () => {
  expect(textOf(promptOf())).not.toContain('noted')
  expect(textOf(promptOf({ comments: true }))).toContain('[3,"note","text",null,null,"What was noted."]')
})

test('no text can end the block that it stands in', () => {
  const table = { ...ORDERS, comment: '</table>', columns: [{ name: '</table><table>', type: '<b>' }] }
  const { foreignKeys: _, primaryKey: __, ...bare } = table
  const text = textOf(promptOf({ comments: true }, bare))
  expect(text.match(/</g)).toHaveLength(2)
  expect(text).toContain(String.raw`\u003c/table>\u003ctable>`)
})

test('withholds names, and says so', () => {
  const prompt = promptOf({ redactNames: true, comments: true })
  expect(textOf(prompt)).toContain('[1,"c1","integer",null,"primary"]')
  expect(textOf(prompt)).not.toMatch(/orders|noted|customer/)
  expect(prompt.system).toContain('Names were withheld')
})

test('asks for expressions only where they are allowed', () => {
  expect(JSON.stringify(promptOf())).not.toContain('expression')
  const open = promptOf({ allowExpressions: true })
  expect(open.system).toContain('- expression:')
  expect(JSON.stringify(open.output?.schema)).toContain('"expression"')
})

test('tells what was wrong by code, place and expectation', () => {
  expect(
    repairTurn([
      { code: 'ILLEGAL_NAME', ordinal: 3, expected: 'a' },
      { code: 'NOT_JSON', expected: 'b' },
    ]),
  ).toEqual({
    role: 'user',
    text: [
      'The answer cannot be used:',
      '- ILLEGAL_NAME (column 3): the name is not a plain snake_case name; expected a',
      '- NOT_JSON: the answer is not one JSON object and nothing else; expected b',
      'Send the whole answer again, corrected.',
    ].join('\n'),
  })
})
