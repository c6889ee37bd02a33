import { resolve } from 'node:path'
import { loadTemplates, type Templates } from '@stagecraft/core'
import { type Config, type DialectName, StagecraftError } from '@stagecraft/spec'
import { readIfThere } from './read-if-there.ts'

/** The templates that the configuration names; undefined when it names none. */
export async function loadUserTemplates(
  { preset = 'dbt-labs', templates }: Config,
  { dialect, folder }: { readonly dialect: DialectName; readonly folder: string },
): Promise<Templates | undefined> {
  if (!templates) return undefined
  const files = await Promise.all(
    Object.entries(templates).map(
      async ([name, path]) => [name, await readTemplate(name, resolve(folder, path))] as const,
    ),
  )
  return loadTemplates(Object.fromEntries(files), { dialect, preset })
}

async function readTemplate(name: string, file: string): Promise<string> {
  const text = await readIfThere(file)
  if (text !== undefined) return text
  throw new StagecraftError(
    'INVALID_REQUEST',
    `templates.${name}: expected a file, got ${file}, which does not exist`,
    {
      details: { faults: [{ path: `templates.${name}`, expected: 'a file', received: file }] },
    },
  )
}
