import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIALECTS } from '@stagecraft/dialects'
import { execFileSync } from 'node:child_process'
import { onTestFinished, expect, test } from 'vitest'
import { repositoryPath } from './paths.ts'

const README = readFileSync(repositoryPath('README.md'), 'utf8')

/** The blocks of a language, in order. */
function blocks(language: string): readonly string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  )
}

const COLUMNS = 'tables: [{ schema: shop, name: orders, columns: [{ name: id, type: integer }] }]'

/** Runs a program of the README inside the repository, where the packages are found. */
function run(program: string): string {
  const folder = mkdtempSync(repositoryPath('test/.readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'columns.yml'), COLUMNS)
  writeFileSync(join(folder, 'main.ts'), program)
  return execFileSync(process.execPath, ['main.ts'], { cwd: folder, encoding: 'utf8' })
}

test('its first program prints what stands below it', () => {
  const [program = ''] = blocks('ts')
  expect(`${blocks('sql')[0]}\n`).toBe(run(program))
  expect(run(program.replace('log(code)', 'log(schema)'))).toBe(`${blocks('yaml')[0]}\n`)
  expect(run(program.replace('log(code)', 'log(tests, warnings)'))).toBe("[ 'not_null', 'unique' ] []\n")
})

test('its program with a catalog runs', () => {
  const [, program = ''] = blocks('ts')
  expect(run(program)).toMatch(/id as order_id[\s\S]*req_/)
})

test('is short', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
})

test('names every warehouse that code is written for', () => {
  const titles = Object.values(DIALECTS).map(({ title }) => title)
  const numbers = ['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen']
  const listed = README.match(/\*\*Code for (\w+) warehouses\*\*: ([^.]+)\./)
  expect(listed?.[2]?.split(/,\s+/)).toEqual(titles)
  expect(listed?.[1]).toBe(numbers[titles.length - 12])
})
