import type { ProjectView } from '../project-view.ts'
import { callsOfMacro, hiddenUse, type MacroCall } from '../macros.ts'
import { modelsByPath, oncePerView } from '../references.ts'
import type { Item } from '../tool.ts'
import { idOfFile, itemOf, type Uses, unique } from './use-items.ts'

/** Returns the places that call a macro, and those that call it through other macros. */
export function usesOfMacro(view: ProjectView, name: string): Uses {
  const items: Item[] = []
  const macros = new Set([name])
  for (const macro of macros)
    for (const call of callsOfMacro(view, macro)) {
      if (call.caller === name) continue
      const item = callItem(view, call)
      items.push(macro === name ? item : { ...item, text: `through ${macro}: ${item.text ?? ''}` })
      if (call.caller !== undefined) macros.add(call.caller)
    }
  const hidden = hiddenUse(view, name)
  const isSaid = hidden === 'dbt calls it' || items.length === 0
  return {
    items: unique(items),
    notes: hidden !== undefined && isSaid ? [`${name}: ${hidden}`] : [],
  }
}

/** Returns the ids of the callers of a macro; undefined if that is only known when dbt runs. */
export function macroReaders(view: ProjectView, name: string): readonly string[] | undefined {
  const ids = new Set(callsOfMacro(view, name).map((call) => idOfCaller(view, call)))
  if (ids.size > 0) return [...ids]
  const hidden = hiddenUse(view, name)
  if (hidden === undefined) return []
  return hidden === 'dbt calls it' ? ['dbt'] : undefined
}

function callItem(view: ProjectView, call: MacroCall): Item {
  return itemOf(view, idOfCaller(view, call), call)
}

function idOfCaller(view: ProjectView, { caller, path }: MacroCall): string {
  return caller === undefined ? (modelsByPath(view).get(path) ?? idOfFile(view, path)) : `macro.${caller}`
}

/** Returns the names of the macros that a relation calls, through other macros too. */
export function macrosOf(view: ProjectView, id: string): readonly string[] {
  return macrosById(view).get(id) ?? []
}

const macrosById = oncePerView((view): ReadonlyMap<string, readonly string[]> => {
  const calls = view.project.index.macros.flatMap(({ name }) =>
    usesOfMacro(view, name).items.map((item) => [item.id, name] as const),
  )
  const found = new Map<string, string[]>()
  for (const [id, name] of calls) found.set(id, [...(found.get(id) ?? []), name])
  return found
})
