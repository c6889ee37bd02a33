import { tryNames } from '@stagecraft/core/run'
import {
  learnFromModels,
  memoryTree,
  readProject,
  readStagingModels,
  type StagingModel,
} from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import type { Config, Table } from '@stagecraft/spec'
import type { HouseProject } from './houses/house.ts'

/** How many columns of models that were held out are named as their people named them. */
export interface LearningFigures {
  readonly project: string
  readonly models: number
  readonly columns: number
  readonly byRules: number
  /** Learned from all other models. */
  readonly leaveOneOut: number
  /** Learned from the models of tables that are unlike. */
  readonly unlike: number
  /** Learned from five models: the average of several choices, and of how many columns. */
  readonly fromFive: number
  readonly ofFive: number
}

export interface MeasureOptions {
  /** Measures every so many models only. @default 1 */
  readonly step?: number
}

const FIVE = 5
/** The choices of five models that are tried. */
const DRAWS = 4

export async function measureLearning(
  { files, name: project, tables }: HouseProject,
  { step = 1 }: MeasureOptions = {},
): Promise<LearningFigures> {
  const tree = memoryTree(files)
  const index = await readProject(tree)
  const { models } = await readStagingModels({ tree, index }, { syntax: DIALECTS.snowflake })
  const learn = (from: readonly StagingModel[]): Config =>
    learnFromModels(from, tables, { dialect: 'snowflake' }).config
  const measured = models.filter((_, place) => place % step === 0)
  const sum = (count: (model: StagingModel) => number): number =>
    measured.reduce((total, model) => total + count(model), 0)
  const draws = Array.from({ length: DRAWS }, (_, draw) => drawFive(models, draw))
  const rests = draws.map((five) => measured.filter((model) => !five.includes(model)))
  return {
    project,
    models: measured.length,
    columns: sum(({ pairs }) => pairs.length),
    byRules: sum((model) => rightNames(model, {}, tables)),
    leaveOneOut: sum((model) => rightNames(model, learn(models.filter((other) => other !== model)), tables)),
    unlike: sum((model) =>
      rightNames(model, learn(models.filter((other) => likeness(other, model) < UNLIKE)), tables),
    ),
    fromFive: draws.reduce((total, five, draw) => {
      const config = learn(five)
      return (
        total + (rests[draw] ?? []).reduce((right, model) => right + rightNames(model, config, tables), 0)
      )
    }, 0),
    ofFive: rests.flat().reduce((total, { pairs }) => total + pairs.length, 0),
  }
}

/** Tables with fewer columns in common are unlike. */
const UNLIKE = 0.25

function likeness(a: StagingModel, b: StagingModel): number {
  const [own, other] = [a, b].map(({ pairs }) => new Set(pairs.map(({ raw }) => raw.toLowerCase())))
  if (a === b || !own || !other) return 1
  const common = [...own].filter((raw) => other.has(raw)).length
  return common / Math.min(own.size, other.size)
}

function drawFive(models: readonly StagingModel[], draw: number): readonly StagingModel[] {
  const stride = Math.max(1, Math.floor(models.length / FIVE))
  return models.filter((_, place) => (place + draw) % stride === 0).slice(0, FIVE)
}

function rightNames(model: StagingModel, config: Config, tables: readonly Table[]): number {
  const table = tables.find(({ name, schema }) => name === model.identifier && schema === model.schema)
  if (!table) return 0
  const item = {
    request: { type: 'staging' as const, source: `"${model.schema}"."${model.identifier}"` },
    table,
  }
  const names = tryNames([item], { dialect: 'snowflake', config }).name(0, config)
  const spelled = new Map(table.columns.map((column) => [column.name.toLowerCase(), column.name]))
  return model.pairs.filter(({ name, raw }) => names.column(spelled.get(raw.toLowerCase()) ?? '') === name)
    .length
}
