import type { Warning } from '@stagecraft/spec'
import { type Claimed, claimNames } from '../naming/unique-names.ts'
import type { StoredName } from '../source-name/stored-name.ts'
import { inSource, plainName, type Subject } from './subject.ts'

/** Tells apart the sources, tables and models of a run whose names came out alike. */
export function separateNames(subjects: readonly Subject[]): readonly Subject[] {
  return separateModels(separateSources(subjects))
}

/** Returns the identity of a table, as a key for maps. */
export function identityOf({ database, schema, table }: StoredName): string {
  return JSON.stringify([database ?? '', schema ?? '', table])
}

/** Two schemas whose names became alike are two sources; the later one is called after its database too. */
function separateSources(subjects: readonly Subject[]): readonly Subject[] {
  const placeOf = ({ name }: Subject): string => identityOf({ ...name, table: '' })
  const names = claimOnce(subjects, placeOf, Infinity, ({ name, dbtSource }) => [
    dbtSource,
    ...(name.database === undefined ? [] : [`${plainName(name.database)}_${dbtSource}`]),
  ])
  return subjects.map((subject) => {
    const name = names.get(placeOf(subject))?.name ?? subject.dbtSource
    if (name === subject.dbtSource) return subject
    const message = `the schema ${subject.name.schema ?? ''} is the dbt source ${name}, because another schema of the run is ${subject.dbtSource}`
    return {
      ...inSource(subject, name),
      warnings: [...subject.warnings, { code: 'NAME_COLLISION', message }],
    }
  })
}

/** Case twins and names that became alike: the first in order keeps the name, the others get numbers. */
function separateModels(subjects: readonly Subject[]): readonly Subject[] {
  const limit = subjects[0]?.settings.dialect.identifiers.maxBytes ?? Infinity
  const tableOf = ({ name }: Subject): string => identityOf(name)
  const modelOf = ({ kind, name }: Subject): string => `${kind} ${identityOf(name)}`
  const tables = claimOnce(subjects, tableOf, Infinity, ({ dbtSource, tableName }) => [
    `${dbtSource}.${tableName}`,
  ])
  const models = claimOnce(subjects, modelOf, limit, ({ modelName }) => [modelName])
  return subjects.map((subject) => {
    const table = tables.get(tableOf(subject))
    const model = models.get(modelOf(subject))
    if (!table?.numbered && !model?.numbered) return subject
    const modelName = model?.name ?? subject.modelName
    const tableName = table?.name.slice(subject.dbtSource.length + 1) ?? subject.tableName
    return {
      ...subject,
      tableName,
      modelName,
      warnings: [...subject.warnings, collision(subject, modelName)],
    }
  })
}

/** A name for each distinct identity: the same table asked for twice is one table. */
function claimOnce(
  subjects: readonly Subject[],
  identify: (subject: Subject) => string,
  limit: number,
  candidatesOf: (subject: Subject) => readonly string[],
): ReadonlyMap<string, Claimed> {
  const distinct = new Map(subjects.map((subject) => [identify(subject), candidatesOf(subject)]))
  const claimed = claimNames(
    [...distinct.values()].map((candidates) => ({ candidates, rank: 0 })),
    limit,
  )
  return new Map([...distinct.keys()].map((identity, index) => [identity, claimed[index] as Claimed]))
}

function collision({ modelName, name }: Subject, given: string): Warning {
  return {
    code: 'NAME_COLLISION',
    message: `${name.table} is modelled as ${given}, because another table of the run is modelled as ${modelName}`,
  }
}
