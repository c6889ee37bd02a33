import type { LockedTable } from '../lock/lock.ts'
import { type DeclaredModel, findModelReaders, findReaders, type ProjectView } from './project-view.ts'

/** The place of a table's model, and its owner. */
export interface ChosenModel {
  readonly name: string
  readonly path: string
  /** `ours` was generated before or is new, `foreign` a person wrote, `taken` is the name of a model of something else. */
  readonly owner: 'ours' | 'foreign' | 'taken'
  /** A person gave it its name or place. @default false */
  readonly byHand?: true
  readonly note?: string
}

export interface ModelChoice {
  /** The names that configuration gives. */
  readonly place: {
    readonly model: string
    readonly source: string
    readonly table: string
    readonly path: string
  }
  readonly locked: LockedTable | undefined
  /** Tells whether a file is there. */
  readonly exists: (path: string) => boolean
  /** Files of a person that count as models of their tables from now on. */
  readonly adopt: ReadonlySet<string>
  /** Names of models that other lines of the lock have. */
  readonly others: ReadonlySet<string>
  /** A model that was generated takes the name that configuration gives now. */
  readonly prune: boolean
  /** What a person changed in it is in conflict with what is generated under the new name. */
  readonly isStuck: boolean
}

/**
 * Chooses the model of a table: one that already reads the table is the model of it, wherever it lies and whatever it is
 * called.
 */
export function chooseModel(project: ProjectView, choice: ModelChoice): ChosenModel {
  const { exists, locked, place } = choice
  const own = { name: place.model, path: place.path, owner: 'ours' } as const
  if (locked && exists(locked.model.path)) return keepLocked(project, choice, locked)
  const readers = findReaders(project, place).filter(({ name }) => !choice.others.has(name))
  const reader = readers.find(({ name }) => name === (locked?.model.name ?? place.model)) ?? readers[0]
  if (reader && locked)
    return {
      ...nameAndPath(reader),
      owner: 'ours',
      byHand: true,
      note: `was moved from ${locked.model.path}`,
    }
  const adopted = readers.find(({ path }) => choice.adopt.has(path))
  if (adopted) return { ...nameAndPath(adopted), owner: 'ours', byHand: true }
  if (reader) return { ...nameAndPath(reader), owner: 'foreign' }
  const rival = project.models.find(({ name, path }) => name === place.model && path !== place.path)
  if (rival && !locked) return { ...own, owner: 'taken', note: rival.path }
  return rival
    ? { ...nameAndPath(rival), owner: 'ours', byHand: true, note: `was moved from ${locked?.model.path}` }
    : own
}

function nameAndPath({ name, path }: DeclaredModel): Pick<ChosenModel, 'name' | 'path'> {
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
  const note = `${what} by the configuration of today; ${remedy}`
  return { name: model.name, path: model.path, owner: 'ours', note }
}

function reasonToStay(
  project: ProjectView,
  { exists, isStuck, place }: ModelChoice,
  name: string,
): string | undefined {
  const readers = place.model === name ? [] : findModelReaders(project, name)
  if (readers.length > 0)
    return `${readers.join(', ')} ${readers.length === 1 ? 'reads' : 'read'} it by the name that it has`
  const rival = place.model === name ? undefined : project.models.find((one) => one.name === place.model)
  if (rival) return `${rival.path} has that name`
  if (exists(place.path)) return `${place.path} is there already`
  return isStuck ? 'what a person changed in it and what is generated now are in conflict' : undefined
}
