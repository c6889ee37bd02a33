import { loadTemplates, type Templates } from '@stagecraft/core'
import { type Config, type DialectName, StagecraftError } from '@stagecraft/spec'
import { ownPath, type OwnPathOptions } from './own-path.ts'
import { readIfThere } from './read-if-there.ts'

/**
 * Reads the templates that the configuration names; undefined if it names none.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a file that is missing or outside the project.
 */
export async function loadUserTemplates(
  { preset = 'dbt-labs', templates }: Config,
  { dialect, ...place }: { readonly dialect: DialectName } & Omit<OwnPathOptions, 'name'>,
): Promise<Templates | undefined> {
  if (!templates) return undefined
  const files = await Promise.all(
    Object.entries(templates).map(async ([name, path]) => {
      const file = ownPath(path, { ...place, name: `templates.${name}` })
      return [name, await readTemplate(name, file)] as const
    }),
  )
  return loadTemplates(Object.fromEntries(files), { dialect, preset })
}

async function readTemplate(name: string, file: string): Promise<string> {
  const text = await readIfThere(file)
  if (text !== undefined) return text
  throw StagecraftError.invalid({
    path: `templates.${name}`,
    expected: 'a file',
    received: `${file}, which does not exist`,
  })
}
