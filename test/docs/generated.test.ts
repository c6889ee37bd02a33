// Parts of the reference are made from the program: UPDATE_GOLDEN=1 writes them again.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { errorSections, warningSections } from './generate/codes.ts'
import { commandSections, exitCodes } from './generate/commands.ts'
import { configurationTables } from './generate/configuration.ts'
import { eventSections } from './generate/events.ts'
import { ruleSections, ruleTable, sampleTable } from './generate/rules.ts'

const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/reference/command-line.md': { commands: commandSections(), 'exit-codes': exitCodes() },
  'docs/reference/configuration.md': configurationTables(),
  'docs/reference/errors.md': { errors: errorSections() },
  'docs/reference/events.md': { events: eventSections() },
  'docs/reference/rules.md': { list: ruleTable(), rules: ruleSections(), sample: sampleTable() },
  'docs/reference/warnings.md': { warnings: warningSections() },
}

const MARKED = /(<!-- generated: ([\w-]+) -->\n)([^]*?)(<!-- end of generated -->)/g

/** Levels out the widths of columns, which oxfmt sets. */
function plain(text: string): string {
  return text
    .replaceAll(/ {2,}\|/g, ' |')
    .replaceAll(/\| -+ (?=\|)/g, '| --- ')
    .trim()
}

test.each(Object.entries(PARTS))('%s says what the program says', (path, parts) => {
  const file = repositoryPath(path)
  const page = readFileSync(file, 'utf8')
  const marked = [...page.matchAll(MARKED)].map(([, , name = '', text = '']) => [name, plain(text)])
  if (process.env['UPDATE_GOLDEN'] === '1') {
    const written = page.replaceAll(
      MARKED,
      (_, ...[open = '', name = '', , close = '']: readonly string[]) =>
        `${open}\n${parts[name] ?? ''}\n\n${close}`,
    )
    writeFileSync(file, written)
    execFileSync(repositoryPath('node_modules/.bin/oxfmt'), [file])
  } else {
    expect(Object.fromEntries(marked)).toEqual(
      Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, plain(text)])),
    )
  }
  expect(new Set(marked.map(([name]) => name))).toEqual(new Set(Object.keys(parts)))
})
