// Writes index.ts from the template files, so that they reach places without a file system.
// Run: pnpm templates
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const here = new URL('.', import.meta.url)

/** The text of index.ts: every template by folder and name. */
export function renderIndex(): string {
  const folders = readdirSync(here, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name))
    .map((entry) => entry.name)
    .toSorted()
  const entries = folders.map((folder) => `  ${JSON.stringify(folder)}: {\n${renderFolder(folder)}  },\n`)
  return [
    '// Made from the files beside it by generate.ts; change those and run `pnpm templates`.',
    '',
    '/** The text of every template, by preset and name. */',
    'export const TEMPLATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {',
    `${entries.join('')}}`,
    '',
  ].join('\n')
}

function renderFolder(folder: string): string {
  return readdirSync(new URL(`${folder}/`, here))
    .filter((file) => file.endsWith('.njk'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(`${folder}/${file}`, here), 'utf8')
      return `    ${JSON.stringify(file.replace(/\.njk$/, ''))}: ${JSON.stringify(text)},\n`
    })
    .join('')
}

if (import.meta.main) writeFileSync(new URL('index.ts', here), renderIndex())
