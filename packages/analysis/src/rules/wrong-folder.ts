import type { IndexedModel } from '@stagecraft/dbt'
import { type Layer, layerOf } from '../project/layers.ts'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import type { Fix } from '../vocabulary.ts'
import { builtModels, placeOf, subjectOf } from './subjects.ts'

/** Houses lay out their folders in their own way; so it is off. */
export const wrongFolder = {
  id: 'SC501',
  name: 'wrong-folder',
  group: 'project',
  severity: 'info',
  isDefault: false,
  needs: ['files'],
  summary: 'the name of a model says one layer and its folder another',
  docs: {
    why: 'Configuration of folders gives it the materialization, schema and tags of a layer that it is not part of, and readers look for it elsewhere.',
    example: {
      language: 'sql',
      code: "-- models/marts/stg_shop__orders.sql\nselect * from {{ source('shop', 'orders') }}",
    },
    remedy: 'Move the file to the folder of its layer, or rename it.',
  },
  fix: {
    safety: 'unsafe',
    summary:
      'moves the file to the one folder in which the other models of its layer and source lie; what folders configure is that of the new one',
  },
  check: (project) =>
    builtModels(project).flatMap((model) => {
      const named = layerOf({ ...model, path: model.path.slice(model.path.lastIndexOf('/') + 1) })
      const placed = layerOfFolder(model)
      // A base model lies beside or below the staging models that read it, and reports beside marts.
      if (!named || !placed || sideOf(named) === sideOf(placed)) return []
      const fix = moveTo(project, model, named)
      return [
        {
          message: `${model.name} is named like a model of layer ${named}, and lies in a folder of layer ${placed}`,
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

/** Moves a model to where its like lie; undefined where that is no single folder, and for what Stagecraft places itself. */
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

/** The source in the name of a model: `shop` of `stg_shop__orders`. */
function sourceOf({ name }: IndexedModel): string {
  return /^[a-z]+_(.+?)__/i.exec(name)?.[1]?.toLowerCase() ?? ''
}
