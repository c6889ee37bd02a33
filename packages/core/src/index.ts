export { parseConfig } from './config/parse-config.ts'
export { DIALECTS, type Dialect } from '@stagecraft/dialects'
export { createEngine, type Engine, type EngineAnswer, type EngineOptions } from './engine/engine.ts'
export type { ProjectRequest } from './engine/read-items.ts'
export { explain, generate, generateProject } from './generate.ts'
export { LOADERS } from './loaders/index.ts'
export type { LoaderPack } from './loaders/loader.ts'
export { PRESETS } from './presets/index.ts'
export { loadTemplates, type Templates } from './render/templates.ts'
export type { ProjectGeneration } from './run/print-run.ts'
export type { GenerateContext, GenerateItem } from './run/run-item.ts'
export { parseSourceName } from './source-name.ts'

// `@stagecraft/core/run` has what shells need, such as runs and readers
