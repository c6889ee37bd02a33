import { expect, test } from 'vitest'
import { createProgram } from '../program.ts'
import { completeWords } from './complete-words.ts'

function complete(line: string) {
  const words = line.split(' ')
  const { candidates, names, prefix } = completeWords(createProgram(), words)
  const current = words.at(-1) ?? ''
  const values = candidates.map(({ value }) => value).filter((value) => value.startsWith(current))
  return { values, names, prefix }
}

test.each<[string, readonly string[], string | undefined]>([
  ['ex', ['explain', 'export'], undefined],
  ['keys ', ['create', 'list', 'revoke', 'help'], undefined],
  ['keys re', ['revoke'], undefined],
  ['explain --of', ['--offline'], undefined],
  ['explain --offline --of', [], undefined],
  ['explain --type ', ['staging', 'base', 'snapshot'], undefined],
  ['explain --type=sn', ['--type=snapshot'], undefined],
  ['explain ', [], 'subject'],
  ['forget ', [], 'subject'],
  ['lineage ', [], 'subject'],
  ['explain --config ', [], 'file'],
  ['plan --out ', [], 'file'],
  ['generate --out ', [], 'folder'],
  ['generate --catalog ', [], 'file'],
  ['generate shop.orders ', [], 'source'],
  ['generate --all ', [], 'source'],
  ['lint --select ', [], 'rule'],
  ['rules ', [], 'rule'],
  ['completion ', ['bash', 'zsh', 'fish'], undefined],
  ['generate -- --a', [], 'source'],
  ['nothing --x', [], undefined],
])('after "%s" stand %j and names of %s', (line, values, names) => {
  expect(complete(line)).toMatchObject({ values, names })
})

test('every command and every option of it is offered, and hidden ones are not', () => {
  const program = createProgram()
  const { values } = complete('')
  const shown = program.createHelp().visibleCommands(program)
  expect(values).toEqual(shown.map((command) => command.name()))
  expect(values).not.toContain('complete')
  for (const command of program.commands.filter(({ commands }) => commands.length === 0)) {
    const offered = complete(`${command.name()} -`).values
    expect(offered).toEqual([...command.options.map(({ long }) => long), '--help'])
  }
})

test('what stands before a value is part of the word', () => {
  expect(complete('generate --out=mod')).toMatchObject({ names: 'folder', prefix: '--out=' })
})
