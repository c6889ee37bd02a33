import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from './paths.ts'

const FOLDERS = [...readdirSync(repositoryPath('packages')).map((name) => `packages/${name}`), 'templates']

function read(path: string): string {
  return readFileSync(repositoryPath(path), 'utf8')
}

function manifestOf(folder: string): { readonly name: string; readonly exports?: Record<string, string> } {
  return JSON.parse(read(`${folder}/package.json`)) as { name: string; exports?: Record<string, string> }
}

/** Where the compiler finds each entry of each package. */
function entryPaths(): Record<string, readonly string[]> {
  return Object.fromEntries(
    FOLDERS.flatMap((folder) => {
      const { exports = {}, name } = manifestOf(folder)
      return Object.entries(exports).map(([entry, file]) => [
        `${name}${entry.slice(1)}`,
        [repositoryPath(join(folder, file))],
      ])
    }),
  )
}

test('the examples in the readmes of packages compile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-readmes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = FOLDERS.flatMap((path) => {
    const [, code] = /^```ts\n(.*?)^```$/ms.exec(read(`${path}/README.md`)) ?? []
    return code === undefined ? [] : [{ name: `${path.replace('/', '-')}.ts`, code }]
  })
  expect(files.length).toBeGreaterThanOrEqual(8)
  for (const { code, name } of files) writeFileSync(join(folder, name), code)
  const compilerOptions = {
    paths: entryPaths(),
    types: ['node'],
    typeRoots: [repositoryPath('node_modules/@types')],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: repositoryPath('tsconfig.json'), compilerOptions, include: ['*.ts'] }),
  )
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  expect(() =>
    execFileSync(repositoryPath('node_modules/.bin/tsc'), ['-p', folder], {
      encoding: 'utf8',
      stdio: 'pipe',
    }),
  ).not.toThrow()
})
