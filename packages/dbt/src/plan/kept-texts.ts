import { hashText, printData } from '../lock/hashes.ts'
import type { YamlEntry } from '../yaml/yaml-edit.ts'
import type { ArrangedTables } from './arrange-tables.ts'
import type { ArrangedEntry } from './arranged-entry.ts'
import type { PlanInput } from './plan-input.ts'
import type { PlannedFile } from './plan-types.ts'
import { isAsGenerated } from './entry-input.ts'
import type { YamlInput } from './plan-yaml.ts'

// Texts of earlier generations are kept by their hashes, so that a person's changes are found by comparing with them.

interface Planned {
  readonly arranged: ArrangedTables
  readonly entries: readonly ArrangedEntry[]
  readonly files: readonly PlannedFile[]
  readonly wanted: readonly YamlInput[]
}

/**
 * Returns the generated texts that the project has after the plan. A text that it never had would make a later one of a
 * person look generated.
 */
export function generatedTexts({ arranged, entries, files, wanted }: Planned): readonly string[] {
  const after = new Map(files.map((file) => [file.path, file.after]))
  const whole: readonly (readonly [string, string | undefined])[] = [
    ...wanted.map(({ path, whole }) => [path, whole] as const),
    ...[...arranged.wanted.yaml].map(([path, { content }]) => [path, content] as const),
  ]
  return [
    ...arranged.tables.flatMap(({ isSelected, wanted: { sql } }) => (isSelected ? sql : [])),
    ...whole.flatMap(([path, text]) => (text !== undefined && after.get(path) === text ? text : [])),
    ...entries.flatMap((entry) => (entry.wanted ? printData(entry.wanted) : [])),
  ]
}

/** Returns true for a text of the last generation. */
export async function isGenerated(
  text: string | undefined,
  { readBase }: PlanInput,
  base: string | undefined,
): Promise<boolean> {
  return text !== undefined && (text === base || (await readBase(hashText(text))) === text)
}

/** Compares entries that a person changed with their generated text, if it was kept. */
export function withKeptBases(
  entries: readonly ArrangedEntry[],
  { tables }: ArrangedTables,
  { readBase }: PlanInput,
): Promise<readonly ArrangedEntry[]> {
  const renamed = tables.flatMap(({ locked, model }) =>
    locked && locked.model.name !== model.name ? { now: model.name, former: locked.model.name } : [],
  )
  return Promise.all(
    entries.map(async (entry) => {
      const { base, isSelected, locked, present } = entry
      if (!isSelected || !locked || !present || isAsGenerated(entry)) return entry
      const kept = await readBase(locked.sha256)
      const text = kept ?? (base && renamed.reduce(withFormerName, JSON.stringify(base)))
      return text === undefined ? entry : { ...entry, base: JSON.parse(text) as YamlEntry }
    }),
  )
}

/** Without the kept text, the base has current names. Tests and descriptions call models in these two ways. */
function withFormerName(
  text: string,
  { now, former }: { readonly now: string; readonly former: string },
): string {
  return text.replaceAll(`ref('${now}')`, `ref('${former}')`).replaceAll(`\`${now}\``, `\`${former}\``)
}

/** Returns those of the texts that were generated before. */
export async function keptTexts(
  input: PlanInput,
  texts: readonly (string | undefined)[],
): Promise<ReadonlySet<string>> {
  const distinct = [...new Set(texts)].filter((text) => text !== undefined)
  const found = await Promise.all(
    distinct.map(async (text) => (await input.readBase(hashText(text))) === text),
  )
  return new Set(distinct.filter((_, index) => found[index]))
}
