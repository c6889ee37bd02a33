import type { Config } from '@stagecraft/spec'
import { compareText } from '@stagecraft/spec'
import type { IndexedSource } from '../project/project-index.ts'
import { basename, folderOf } from '../tree/paths.ts'
import { configAt, mergeConfig } from './merge-config.ts'
import type { Evidence } from './observations.ts'
import type { StagingModel } from './read-staging.ts'
import { agreed, type Habit, type Vote } from './habits.ts'

/** Learns the places and names of a project's files. */
export function learnLayout(
  evidence: Evidence,
  sources: readonly IndexedSource[],
  config: Config,
): readonly Habit[] {
  const { models } = evidence
  const names = learnModelNames(evidence, config)
  return [
    ...names,
    ...learnFolders(
      evidence,
      names.reduce((all, { config: named }) => mergeConfig(all, named), config),
    ),
    ...learnProperties(models),
    ...learnSourceFiles(models, sources),
  ]
}

/** The parts of a table's name that a folder may have. */
const PARTS = ['', '{entity}', '{table}'] as const

/** The folders of models: the same for all, or called after the source or the table. */
function learnFolders({ models, trial }: Evidence, config: Config): readonly Habit[] {
  const readings = PARTS.flatMap((part) => {
    const votes = models.map(({ model: { path }, source }, place): Vote => {
      const name = part === '' ? '' : trial.model(place, under(config, part))
      return { path, value: withSource(withPart(folderOf(path), name, part), source) }
    })
    return agreed(votes, (folder) => ({
      config: configAt(['naming', 'types', 'staging', 'folder'], folder),
      text: `models are in \`${folder}\``,
    }))
  })
  return bestOf(readings)
}

/** Replaces the last folder that has a name. */
function withPart(folder: string, name: string, part: string): string {
  const folders = folder.split('/')
  const at = name === '' ? -1 : folders.lastIndexOf(name)
  return folders.with(at < 0 ? 0 : at, at < 0 ? (folders[0] ?? '') : part).join('/')
}

/** Returns the habit of most models; of equals, the first. */
function bestOf(habits: readonly Habit[]): readonly Habit[] {
  return habits.toSorted((a, b) => b.support.holds - a.support.holds).slice(0, 1)
}

function withSource(text: string, source: string): string {
  const escaped = source.replace(/[^\w]/g, String.raw`\$&`)
  return text.replace(new RegExp(`(?<![a-z0-9])${escaped}(?![a-z0-9])`, 'gi'), '{source}')
}

const NUMBERS = ['plural', 'singular', 'keep'] as const

/** The pattern of model names, with the number of the entity that fits most of them. */
function learnModelNames({ models, trial }: Evidence, config: Config): readonly Habit[] {
  const partOf = (place: number, pattern: string, entity: (typeof NUMBERS)[number]): string =>
    trial.model(place, under(config, pattern, entity))
  const readings = NUMBERS.flatMap((entity) =>
    ['{entity}', '{table}'].flatMap((part) => {
      const votes = models.map((model, place): Vote => {
        const text = partOf(place, part, entity)
        const { name, path } = model.model
        const head = name.endsWith(text) && text !== '' ? name.slice(0, -text.length) : undefined
        return { path, value: head === undefined ? undefined : `${withSource(head, model.source)}${part}` }
      })
      return agreed(votes, (pattern) => ({
        config: nameConfig(pattern, part === '{table}' ? undefined : entity),
        text: `models are called \`${pattern}\`${part === '{table}' ? '' : `, the entity in the ${entity === 'keep' ? 'form of the table' : entity}`}`,
      }))
    }),
  )
  return bestOf(readings)
}

function under(config: Config, model: string, entity?: (typeof NUMBERS)[number]): Config {
  return mergeConfig(config, { naming: { ...(entity && { entity }), types: { staging: { model } } } })
}

function nameConfig(model: string, entity: (typeof NUMBERS)[number] | undefined): Config {
  return { naming: { ...(entity && { entity }), types: { staging: { model } } } }
}

/** Learns if there is one properties file per model or per folder, and its name. */
function learnProperties(models: readonly StagingModel[]): readonly Habit[] {
  const described = models.flatMap((model) =>
    model.model.propertiesPath === undefined ||
    folderOf(model.model.propertiesPath) !== folderOf(model.model.path)
      ? []
      : [{ model, file: basename(model.model.propertiesPath), path: model.model.propertiesPath }],
  )
  const counts = new Map<string, number>()
  for (const { path } of described) counts.set(path, (counts.get(path) ?? 0) + 1)
  const votes = described.map(({ file, model, path }): Vote => {
    const { name } = model.model
    const isOwn = counts.get(path) === 1 && file.includes(name)
    return {
      path: model.model.path,
      value: isOwn ? file.replace(name, '{model}') : withSource(file, model.source),
    }
  })
  return agreed(votes, (yaml) => {
    const isOwn = yaml.includes('{model}')
    const naming = configAt(['naming', 'types', 'staging', 'yaml'], yaml)
    const layout: Config = { options: { yamlLayout: isOwn ? 'model' : 'folder' } }
    return {
      config: yaml === '{model}.yml' ? layout : mergeConfig(layout, naming),
      text: isOwn
        ? `each model has its own properties file, \`${yaml}\``
        : `the models of a folder share the properties file \`${yaml}\``,
    }
  })
}

function learnSourceFiles(
  models: readonly StagingModel[],
  sources: readonly IndexedSource[],
): readonly Habit[] {
  const read = new Set(models.map(({ source }) => source.toLowerCase()))
  const declared = sources
    .filter(({ name }) => read.has(name.toLowerCase()))
    .toSorted((a, b) => compareText(a.path, b.path))
  const votes = (part: (path: string) => string): readonly Vote[] =>
    declared.map(({ name, path }) => ({ path, value: withSource(part(path), name) }))
  return [
    ...agreed(votes(basename), (sourcesFile) => ({
      config: { naming: { sourcesFile } },
      text: `sources are declared in \`${sourcesFile}\``,
      unit: 'sources',
    })),
    ...agreed(votes(folderOf), (sourcesFolder) => ({
      config: { naming: { sourcesFolder } },
      text: `source files are in \`${sourcesFolder}\``,
      unit: 'sources',
    })),
  ]
}
