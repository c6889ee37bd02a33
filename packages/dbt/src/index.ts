export { lockProject } from './apply/lock-project.ts'
export {
  type FileChange,
  type InterruptedChanges,
  readInterrupted,
  readUndo,
  recoverChanges,
  stateFolder,
  writeChanges,
} from './apply/write-changes.ts'
export { type TextStore, textStore } from './apply/text-store.ts'
export { type FileHashes, type FileState, fileState } from './lock/file-state.ts'
export { hashText } from './lock/hashes.ts'
export {
  changeLock,
  type Lock,
  LOCK_FILE,
  lockKey,
  type LockedPart,
  type LockedTable,
  parseLock,
  readLock,
  printLock,
} from './lock/lock.ts'
export { findMarkers } from './merge/conflict-markers.ts'
export { keepBothSides } from './yaml/keep-both-sides.ts'
export { type MergeConflict, type MergeOptions, mergeSql, type SqlMerge } from './merge/merge-sql.ts'
export type { Settlement, ThreeTexts } from './merge/line-merge.ts'
export { sameTokens } from './merge/same-tokens.ts'
export { isCode, scanSql, type SqlSyntax } from './merge/scan-sql.ts'
export { type Manifest, type ManifestModel, readManifest, type StaleFile } from './artifacts/read-manifest.ts'
export { JINJA_CONSTANTS } from './jinja/expression.ts'
export type { JinjaValue, RenderContext } from './jinja/jinja-value.ts'
export { type Block as JinjaBlock, blocksOf as jinjaBlocks } from './jinja/blocks.ts'
export { type Token as JinjaToken, tokensOf } from './jinja/tokens.ts'
export {
  factsOf as referencesOf,
  findCalls,
  lineStarts,
  type FoundCall,
  type ModelReference,
  type SourceReference,
} from './jinja/read-template.ts'
export { catalogAddress } from './profiles/catalog-address.ts'
export type { CatalogAddress } from './profiles/reach/reach.ts'
export { findProfile, type FindProfileOptions, type FoundProfile } from './profiles/find-profile.ts'
export { readDbtVariable } from './profiles/profile-folders.ts'
export { type Profile, targetOf } from './profiles/read-profile.ts'
export { diskStore } from './project/disk-store.ts'
export type { FactsStore } from './project/facts-cache.ts'
export { type Layer, layerOf, layerOfName } from './project/layers.ts'
export { folderValues, sourceValues, testValues } from './project/folder-values.ts'
export { findProjectRoot } from './project/find-root.ts'
export type {
  Documented,
  FilePlace,
  IndexedBlock,
  IndexedModel,
  IndexedSource,
  IndexedTable,
  ProjectIndex,
  ProjectProblem,
  StyleExample,
} from './project/project-index.ts'
export { readProject, type ReadProjectOptions, readProjectSettings } from './project/read-project.ts'
export { toProject, type ToProjectOptions } from './project/to-project.ts'
export { PROJECT_FILE, type ProjectSettings, readSettings } from './project/settings.ts'
export { diskTree, type DiskTreeOptions } from './tree/disk-tree.ts'
export type { FileTree, ListOptions, TreeFile } from './tree/file-tree.ts'
export { memoryTree } from './tree/memory-tree.ts'
export { decodeText, readText } from './tree/read-text.ts'
export { withTexts } from './tree/with-texts.ts'
export { editYaml } from './yaml/edit-yaml.ts'
export { type EntryMove, type MovedEntry, moveEntry } from './yaml/move-entry.ts'
export type {
  AddColumn,
  AddEntry,
  AddTable,
  AddTests,
  EditedYaml,
  EditOutcome,
  EditPlace,
  OwnerList,
  RemoveColumn,
  RemoveEntry,
  RemoveTests,
  SetProperty,
  YamlEdit,
  YamlEntry,
  YamlOwner,
  YamlText,
  YamlValue,
} from './yaml/yaml-edit.ts'
export {
  type ChangedFile,
  countFiles,
  describeConflict,
  isChange,
  patchOf,
  type PlanCounts,
} from './plan/describe-plan.ts'
export { describeParts, type HandEdit } from './plan/hand-edits.ts'
export { generatedBy } from './plan/generated-by.ts'
export { EDITED_BY_HAND } from './plan/plan-model.ts'
export { ATTRIBUTES_FILE, plannedChanges, type PlannedChangesOptions } from './plan/planned-changes.ts'
export type { PlanInput } from './plan/plan-input.ts'
export { type ExplainedTable, explainProject } from './plan/explain-project.ts'
export { decidedBefore } from './plan/move-edit.ts'
export { followedConfig } from './plan/follow-renames.ts'
export { planProject } from './plan/plan-project.ts'
export {
  type ExcludedTable,
  FILE_ACTIONS,
  type FileAction,
  type FileConflict,
  type PlannedFile,
  type PlannedTable,
  type ProjectPlan,
} from './plan/plan-types.ts'
export { withDeclaredNames } from './plan/overlay-config.ts'
export type { DeclaredModel, DeclaredSource, DeclaredTable, ProjectView } from './plan/project-view.ts'
export { compareTables, type Drift, type DriftKind, DRIFTS } from './plan/table-drift.ts'
export type { Habit, Support } from './learn/habits.ts'
export { configAt, entriesOf, mergeConfig } from './learn/merge-config.ts'
export {
  type Conventions,
  learnConventions,
  type LearnedRule,
  learnFromModels,
  type LearnOptions,
} from './learn/learn-conventions.ts'
export {
  type ReadableProject,
  readStagingModels,
  type ReadStagingOptions,
  type SkippedModel,
  type StagedPair,
  type StagingModel,
  type StagingModels,
} from './learn/read-staging.ts'
export { addToConfig, printConfig } from './learn/write-config.ts'
export { explainLearned, printSetting, printSupport } from './learn/explain-learned.ts'
