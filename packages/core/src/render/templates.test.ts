import { expect, test } from 'vitest'
import { builtInTemplates, loadTemplates } from './templates.ts'

async function render(template: string, data: object = {}): Promise<string> {
  const templates = await loadTemplates({ 'staging.sql': template }, { dialect: 'postgres' })
  return templates.render('staging.sql', data)
}

test('prints values, conditions and loops', async () => {
  const template = '<% for name in names %><$ name | upper $><% if not loop.last %>, <% endif %><% endfor %>.'
  expect(await render(template, { names: ['a', 'b'] })).toBe('A, B.')
})

test('leaves Jinja alone', async () => {
  expect(await render("select * from {{ ref('a') }} {# note #} {% if x %}\n")).toBe(
    "select * from {{ ref('a') }} {# note #} {% if x %}\n",
  )
})

test('removes the line ends and byte order marks of other systems', async () => {
  expect(await render('\uFEFFselect 1\r\n<% if true %>\r\nfrom a\r\n<% endif %>\r\n')).toBe(
    'select 1\nfrom a\n',
  )
})

test('has macros', async () => {
  expect(await render('<% macro twice(x) %><$ x $><$ x $><% endmacro %><$ twice("a") $>')).toBe('aa')
})

test.each([
  ['a constructor', "<$ ''.constructor $>"],
  ['a constructor by another name', "<$ ''['con' + 'structor'] $>"],
  ['a prototype', '<$ names.__proto__ $>'],
  ['a method of a list', '<$ names.map $>'],
  ['a property of a global function', '<$ range.constructor $>'],
  ['the loop’s prototype', '<% for n in names %><$ loop.constructor $><% endfor %>'],
])('does not reveal %s', async (_, template) => {
  await expect(render(template, { names: ['a'] })).rejects.toThrow('null or undefined')
})

test.each([
  ['calls a value', "<$ ''.constructor.constructor('return process')() $>", 'a call of a value'],
  ['calls a method', "<$ 'a'.toUpperCase() $>", 'a call of a value'],
  ['has a name that is program text', '<$ a"&alert`1`&"b $>', 'is not allowed in a template'],
  ['names a filter like program text', '<$ a | b"&alert`1`&" $>', 'is not allowed in a template'],
  ['includes a file', '<% include "/etc/passwd" %>', 'there is no template "/etc/passwd"'],
  ['asks for chance', '<$ names | random $>', 'the same input must give the same output'],
  ['knows no such filter', '<$ names | nope $>', 'filter not found: nope'],
])('refuses a template that %s', async (_, template, message) => {
  await expect(render(template, { names: ['a'], a: 1 })).rejects.toThrow(message)
})

test('does not let quotes in names into the compiled program', async () => {
  await expect(render('<$ x["\\\\" + alert(1) + "\\\\"] $>', { x: {} })).rejects.toThrow()
})

test('names the faulty template and line', async () => {
  await expect(render('one\n<$ nope.nothing $>\n')).rejects.toMatchObject({
    code: 'GENERATION_FAILED',
    message: expect.stringMatching(/template staging\.sql: .*Line 2/),
  })
})

test('compiles the templates of a preset once', () => {
  expect(builtInTemplates('dbt-labs')).toBe(builtInTemplates('dbt-labs'))
})
