import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryPath } from './paths.ts'

const read = (path: string): string => readFileSync(repositoryPath(path), 'utf8')

const INTERFACE = /export interface (?<name>\w*Options)\b[^{]*\{\n(?<body>.*?)\n\}/gs
const MEMBER = /^ {2}(?:readonly )?(?<name>\w+)\??:/

/** Returns the options without documentation, which an editor shows on hover: `DuckdbOptions.path`. */
function undocumented(text: string, isPublic: (name: string) => boolean): readonly string[] {
  return [...text.matchAll(INTERFACE)].flatMap(({ groups: { body = '', name = '' } = {} }) => {
    if (!isPublic(name)) return []
    const lines = body.split('\n')
    return lines.flatMap((line, index) => {
      const member = MEMBER.exec(line)?.groups?.['name']
      const isDocumented = lines[index - 1]?.endsWith('*/') ?? false
      return member === undefined || isDocumented ? [] : `${name}.${member}`
    })
  })
}

test('every option of the packages is documented', () => {
  const manifests = globSync('packages/*/package.json', { cwd: repositoryPath('') })
  const found = manifests.flatMap((manifest) => {
    const { exports = {} } = JSON.parse(read(manifest)) as {
      readonly exports?: Readonly<Record<string, string>>
    }
    const folder = manifest.replace('/package.json', '')
    const entries = Object.values(exports)
      .filter((path) => path.endsWith('.ts'))
      .map((path) => read(`${folder}/${path}`))
      .join('\n')
    const exported = new Set(entries.match(/\b\w+Options\b/g))
    return globSync(`${folder}/src/**/*.ts`, { cwd: repositoryPath('') })
      .filter((path) => !path.endsWith('.test.ts') && !path.includes('/testing/'))
      .flatMap((path) => undocumented(read(path), (name) => exported.has(name)))
  })
  expect(manifests.length).toBeGreaterThan(10)
  expect(found).toEqual([])
})

test('finds options without documentation', () => {
  const text = `export interface AOptions extends B {\n  /** The first. */\n  readonly a: string\n  readonly b?: string\n}\n`
  expect(undocumented(text, () => true)).toEqual(['AOptions.b'])
})
