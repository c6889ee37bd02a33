import type { ModelType } from '@stagecraft/spec'
import type { LockedTable } from '../lock/lock.ts'
import type { FileConflict } from './plan-types.ts'
import {
  declaredElsewhere,
  type DeclaredModel,
  findModelReaders,
  findReaders,
  mayStage,
  type ProjectView,
  printReaders,
  type StoredTable,
} from './project-view.ts'

/** The place of a table's model, and its owner. */
export interface ChosenModel {
  readonly name: string
  readonly path: string
  /**
   * `ours` was generated or is new, `foreign` was written by a person, and `taken` means that the project uses the name
   * of the model or of its source table for something else.
   */
  readonly owner: 'ours' | 'foreign' | 'taken'
  /** The other use of a name that is `taken`. */
  readonly conflict?: FileConflict
  /** True if a person chose its name or place. @default false */
  readonly byHand?: true
  readonly note?: string
}

export interface ModelChoice {
  /** The configured names. */
  readonly place: {
    readonly model: string
    readonly source: string
    readonly table: string
    readonly path: string
  }
  /** The requested type of model. */
  readonly type: ModelType
  /** The table in the warehouse. */
  readonly stored: StoredTable
  readonly locked: LockedTable | undefined
  /** Returns true if a file exists. */
  readonly exists: (path: string) => boolean
  /** Returns true if a file has the text of a deleted model, with or without edits. */
  readonly isMoved: (path: string, locked: LockedTable) => boolean
  /** A person's files to adopt as models of their tables. */
  readonly adopt: ReadonlySet<string>
  /** Returns true if another line of the lock has a model of this name. */
  readonly isOthers: (name: string) => boolean
  /** False for a table that was not requested: its model keeps its name and place. */
  readonly isSelected: boolean
  /** True if a generated model takes its newly configured name. */
  readonly prune: boolean
  /** The reason for which the model cannot take the new name; undefined if it can. */
  readonly stuck: string | undefined
}

/** Chooses the model of a table: a model that already reads the table, whatever its path and name. */
export function chooseModel(project: ProjectView, choice: ModelChoice): ChosenModel {
  const { exists, locked, place } = choice
  const own = { name: place.model, path: place.path, owner: 'ours' } as const
  if (locked && exists(locked.model.path)) return keepLocked(project, choice, locked)
  const other = locked ? undefined : declaredElsewhere(project, place, choice.stored)
  if (other) return { ...own, owner: 'taken', conflict: { kind: 'source', ...other } }
  const reading = findReaders(project, place, choice.stored).filter(({ name }) => !choice.isOthers(name))
  const wanted = { model: locked?.model.name ?? place.model, type: choice.type }
  const readers = reading.filter((model) =>
    locked ? model.name === wanted.model || choice.isMoved(model.path, locked) : mayStage(model, wanted),
  )
  const reader = readers.find(({ name }) => name === wanted.model) ?? readers[0]
  if (reader && locked)
    return {
      ...nameAndPath(reader),
      owner: 'ours',
      byHand: true,
      note: `was moved from ${locked.model.path}`,
    }
  const adopted = [...readers, ...reading].find(({ path }) => choice.adopt.has(path))
  if (adopted) return { ...nameAndPath(adopted), owner: 'ours', byHand: true }
  if (reader) return { ...nameAndPath(reader), owner: 'foreign' }
  const rival = project.models.find(({ name, path }) => name === place.model && path !== place.path)
  if (rival && !locked) {
    const conflict = { kind: 'name', model: place.model, path: rival.path } as const
    return { ...own, owner: 'taken', conflict }
  }
  if (rival)
    return {
      ...nameAndPath(rival),
      owner: 'ours',
      byHand: true,
      note: `was moved from ${locked?.model.path}`,
    }
  if (locked && !choice.isSelected) return { ...nameAndPath(locked.model), owner: 'ours' }
  const past = reading.filter(({ kind = 'model' }) => kind === 'model')
  if (past.length === 0 || choice.type === 'snapshot') return own
  return {
    ...own,
    note: `${printReaders(past)} the raw table itself, and could read this model`,
  }
}

function nameAndPath({
  name,
  path,
}: Pick<DeclaredModel, 'name' | 'path'>): Pick<ChosenModel, 'name' | 'path'> {
  return { name, path }
}

function keepLocked(project: ProjectView, choice: ModelChoice, { model }: LockedTable): ChosenModel {
  const { place, prune } = choice
  if (model.byHand) return { name: model.name, path: model.path, owner: 'ours', byHand: true }
  if (place.model === model.name && place.path === model.path)
    return { name: model.name, path: model.path, owner: 'ours' }
  const reason = reasonToStay(project, choice, model.name)
  if (prune && reason === undefined) return { name: place.model, path: place.path, owner: 'ours' }
  const what = place.model === model.name ? `belongs to ${place.path}` : `is called ${place.model}`
  const remedy = reason === undefined ? '--prune moves it' : `it stays, because ${reason}`
  const note = `${what} by the current configuration; ${remedy}`
  return { name: model.name, path: model.path, owner: 'ours', note }
}

function reasonToStay(
  project: ProjectView,
  { exists, isOthers, place, stuck }: ModelChoice,
  name: string,
): string | undefined {
  // tests of other generated entries follow; those that a person wrote there are found when the entries are planned
  const readsOf = (owner: string): number => (isOthers(owner) ? Infinity : 0)
  const readers = place.model === name ? [] : findModelReaders(project, name, readsOf)
  if (readers.length > 0) return `${printReaders(readers)} it by its current name`
  const rival = place.model === name ? undefined : project.models.find((one) => one.name === place.model)
  if (rival) return `${rival.path} has that name`
  if (exists(place.path)) return `${place.path} already exists`
  return stuck
}
