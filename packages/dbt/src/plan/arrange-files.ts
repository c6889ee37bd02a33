import { isDeepStrictEqual } from 'node:util'
import { editEntries } from '../yaml/edit-generated.ts'
import { editYaml } from '../yaml/edit-yaml.ts'
import type { ArrangedTables } from './arrange-tables.ts'
import type { ArrangedEntry } from './arranged-entry.ts'
import { entryEdits } from './entry-edits.ts'
import type { FileEntries, GeneratedTables } from './generated.ts'
import { plainNames } from './model-names.ts'
import type { YamlInput } from './plan-yaml.ts'
import type { Present } from './present-files.ts'

/** Collects the entries of each file with an entry of a selected table. */
export function arrangeFiles(
  entries: readonly ArrangedEntry[],
  arranged: ArrangedTables,
  { kept, present }: { readonly present: Present; readonly kept: ReadonlySet<string> },
): readonly YamlInput[] {
  const { base, wanted } = arranged
  const files = Map.groupBy(entries, ({ path }) => path)
  const known = knownEntries(entries, arranged)
  return [...files]
    .filter(([, own]) => own.some(({ isSelected }) => isSelected))
    .map(([path, own]) => ({
      path,
      present: present.text(path),
      whole: wholeText(path, entries, wanted),
      isGenerated: (text) =>
        (base.yaml.get(path)?.content === text || kept.has(text)) &&
        coveredBy(present.entries(path)).every((covers) => known.has(covers)) &&
        own.every((entry) => entry.isSelected || isDeepStrictEqual(entry.present, entry.base)),
      entries: own,
    }))
}

/** The entries of the lock and of this plan; all others, including forgotten ones, stay. */
function knownEntries(
  entries: readonly ArrangedEntry[],
  { gone, tables }: ArrangedTables,
): ReadonlySet<string> {
  const locked = [...tables, ...gone].flatMap(({ locked }) => locked ?? [])
  return new Set([
    ...entries.map(({ covers }) => covers),
    ...locked.map(({ model }) => model.name),
    ...locked.flatMap(({ source }) => (source ? `${source.name}.${source.table}` : [])),
  ])
}

function coveredBy({ properties, tables }: FileEntries): readonly string[] {
  return [
    ...[...properties.values()].map(({ entry }) => entry.name),
    ...[...tables.values()].map(({ entry, table }) => `${entry.name}.${table.name}`),
  ]
}

/** Returns the generated text of a file without entries that are placed in another file. */
function wholeText(
  path: string,
  entries: readonly ArrangedEntry[],
  generatedTables: GeneratedTables,
): string | undefined {
  const content = generatedTables.yaml.get(path)?.content
  if (content === undefined) return undefined
  const ours = entries.filter((entry) => entry.generatedPath === path && entry.wanted)
  const elsewhere = new Set(ours.filter((entry) => entry.path !== path).map(({ covers }) => covers))
  const here = new Set(ours.filter((entry) => entry.path === path).map(({ covers }) => covers))
  const { properties, tables } = generatedTables.entries(path)
  const renamed = ours.flatMap(({ generated, names, owner, path: own, wanted }) =>
    own === path && generated && wanted && generated !== wanted
      ? {
          entry: generated,
          edits: entryEdits(owner, { base: generated, wanted, renames: plainNames(names) }),
        }
      : [],
  )
  const foreign = [
    ...[...properties.values()].map(({ entry, list }) => ({
      covers: entry.name,
      owner: { list, name: entry.name } as const,
      ofSource: undefined,
    })),
    ...[...tables.values()].map(({ entry, table }) => ({
      covers: `${entry.name}.${table.name}`,
      owner: { list: 'sources', name: entry.name, table: table.name } as const,
      ofSource: entry,
    })),
  ].filter(({ covers }) => elsewhere.has(covers) || !here.has(covers))
  if (foreign.length + renamed.length === 0) return content
  if (here.size === 0) return undefined
  const removals = foreign.map(
    ({ ofSource, owner }) => ({ kind: 'remove-entry', owner, ...(ofSource && { ofSource }) }) as const,
  )
  const text = editEntries({ path, text: content }, renamed)
  return removals.length === 0 ? text : editYaml({ path, text }, removals).text
}
