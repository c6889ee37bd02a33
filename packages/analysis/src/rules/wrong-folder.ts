import { type IndexedModel, type Layer, layerOf } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import type { Fix } from '../vocabulary.ts'
import { builtModels, placeOf, subjectOf } from './subjects.ts'

/** Off by default: teams lay out folders in their own way. */
export const wrongFolder = {
  id: 'SC501',
  name: 'wrong-folder',
  group: 'project',
  severity: 'info',
  isDefault: false,
  needs: ['files'],
  summary: 'the name of a model suggests one layer and its folder another',
  docs: {
    why: 'It gets the materialization, schema and tags that its folder configures for another layer, and readers look for it elsewhere.',
    example: {
      language: 'sql',
      code: "-- models/marts/stg_shop__orders.sql\nselect * from {{ source('shop', 'orders') }}",
    },
    remedy: 'Move the file to the folder of its layer, or rename it.',
  },
  fix: {
    safety: 'unsafe',
    summary:
      'moves the file to the only folder with other models of its layer and source; the configuration of the new folder then applies',
  },
  check: (project) =>
    builtModels(project).flatMap((model) => {
      const named = layerOf({ ...model, path: model.path.slice(model.path.lastIndexOf('/') + 1) })
      const placed = layerOfFolder(model)
      // Base models belong beside or below the staging models that read them, and reports beside marts.
      if (!named || !placed || sideOf(named) === sideOf(placed)) return []
      const fix = moveTo(project, model, named)
      return [
        {
          message: `${model.name} is named like a model of layer ${named}, but is in a folder of layer ${placed}`,
          place: placeOf(project, model),
          subject: subjectOf(model),
          ...(fix && { fix }),
        },
      ]
    }),
} satisfies Rule

function layerOfFolder(model: IndexedModel): ReturnType<typeof layerOf> {
  return layerOf({ ...model, name: 'model' })
}

function sideOf(layer: Layer): string {
  if (layer === 'base') return 'staging'
  return layer === 'report' ? 'mart' : layer
}

/**
 * Moves a model to the folder of its peers; undefined without a single such folder, and for models that Stagecraft
 * places.
 */
function moveTo(project: LintProject, model: IndexedModel, named: Layer): Fix | undefined {
  const like = builtModels(project).filter(
    (one) =>
      one !== model &&
      layerOf({ ...one, path: one.name }) === named &&
      sideOf(layerOfFolder(one) ?? 'report') === sideOf(named) &&
      sourceOf(one) === sourceOf(model),
  )
  const [folder, ...others] = new Set(like.map(({ path }) => path.slice(0, path.lastIndexOf('/'))))
  if (folder === undefined || others.length > 0 || project.generated.has(model.path)) return undefined
  const to = `${folder}/${model.path.slice(model.path.lastIndexOf('/') + 1)}`
  if (project.files.has(to)) return undefined
  return {
    safety: 'unsafe',
    summary: `move it to ${folder}`,
    edit: { kind: 'move', path: model.path, to },
  }
}

/** Returns the source in the name of a model: `shop` of `stg_shop__orders`. */
function sourceOf({ name }: IndexedModel): string {
  return /^[a-z]+_(.+?)__/i.exec(name)?.[1]?.toLowerCase() ?? ''
}
