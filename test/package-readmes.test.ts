import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryPath } from './paths.ts'

const FOLDERS = [...readdirSync(repositoryPath('packages')).map((name) => `packages/${name}`), 'templates']

function read(path: string): string {
  return readFileSync(repositoryPath(path), 'utf8')
}

function nameOf(folder: string): string {
  return (JSON.parse(read(`${folder}/package.json`)) as { name: string }).name
}

test.each(FOLDERS)('%s says what it is, shows one example and keeps a changelog', (folder) => {
  const name = nameOf(folder)
  const readme = read(`${folder}/README.md`)
  expect(readme.startsWith(`# ${name}\n\n`)).toBe(true)
  expect(readme).toMatch(/^```(?:ts|sh)\n/m)
  expect(read(`${folder}/CHANGELOG.md`).startsWith(`# ${name}\n`)).toBe(true)
})
