import type { Rule } from '../rule.ts'
import { chainedViews } from './chained-views.ts'
import { changedType } from './changed-type.ts'
import { columnStyle } from './column-style.ts'
import { columnWithoutEntry } from './column-without-entry.ts'
import { commentNotDescribed } from './comment-not-described.ts'
import { contractType } from './contract-type.ts'
import { contradictedTest } from './contradicted-test.ts'
import { cycle } from './cycle.ts'
import { deletedRows } from './deleted-rows.ts'
import { describedColumnMissing } from './described-column-missing.ts'
import { driftingDescription } from './drifting-description.ts'
import { droppedColumn } from './dropped-column.ts'
import { droppedRawColumn } from './dropped-raw-column.ts'
import { duplicateOutput } from './duplicate-output.ts'
import { duplicateRelation } from './duplicate-relation.ts'
import { entryWithoutModel } from './entry-without-model.ts'
import { fanOut } from './fan-out.ts'
import { hardCodedRelation } from './hard-coded-relation.ts'
import { loadedAtField } from './loaded-at-field.ts'
import { martReadsSource } from './mart-reads-source.ts'
import { missingReference } from './missing-reference.ts'
import { needlessCast } from './needless-cast.ts'
import { newRawColumn } from './new-raw-column.ts'
import { nullableAgain } from './nullable-again.ts'
import { oldSpelling } from './old-spelling.ts'
import { publicWithoutContract } from './public-without-contract.ts'
import { rejoin } from './rejoin.ts'
import { riskyCast } from './risky-cast.ts'
import { rootWithoutSource } from './root-without-source.ts'
import { sourceWithoutFreshness } from './source-without-freshness.ts'
import { sourceWithoutTable } from './source-without-table.ts'
import { stagingJoinsSources } from './staging-joins-sources.ts'
import { stagingReadsOtherLayer } from './staging-reads-other-layer.ts'
import { stagingSelectsStar } from './staging-selects-star.ts'
import { stagingTwice } from './staging-twice.ts'
import { staleManifest } from './stale-manifest.ts'
import { staleSource } from './stale-source.ts'
import { suppressionWithoutReason } from './suppression-without-reason.ts'
import { testedColumnMissing } from './tested-column-missing.ts'
import { undeclaredTable } from './undeclared-table.ts'
import { unknownRawColumn } from './unknown-raw-column.ts'
import { unquotedName } from './unquoted-name.ts'
import { unreadableFile } from './unreadable-file.ts'
import { untestedKey } from './untested-key.ts'
import { untestedNotNull } from './untested-not-null.ts'
import { untestedReference } from './untested-reference.ts'
import { untestedValues } from './untested-values.ts'
import { unusedSource } from './unused-source.ts'
import { unusedSuppression } from './unused-suppression.ts'
import { wrongFolder } from './wrong-folder.ts'

/** Every rule, in the order of ids. */
export const RULES: readonly Rule[] = [
  sourceWithoutTable,
  newRawColumn,
  droppedRawColumn,
  changedType,
  nullableAgain,
  untestedNotNull,
  untestedKey,
  untestedReference,
  untestedValues,
  contradictedTest,
  loadedAtField,
  staleSource,
  undeclaredTable,
  commentNotDescribed,
  deletedRows,
  unquotedName,
  stagingReadsOtherLayer,
  stagingTwice,
  stagingJoinsSources,
  unknownRawColumn,
  riskyCast,
  needlessCast,
  stagingSelectsStar,
  droppedColumn,
  duplicateOutput,
  columnStyle,
  describedColumnMissing,
  columnWithoutEntry,
  entryWithoutModel,
  testedColumnMissing,
  contractType,
  oldSpelling,
  driftingDescription,
  missingReference,
  unusedSource,
  hardCodedRelation,
  martReadsSource,
  rootWithoutSource,
  rejoin,
  fanOut,
  chainedViews,
  duplicateRelation,
  cycle,
  wrongFolder,
  sourceWithoutFreshness,
  publicWithoutContract,
  suppressionWithoutReason,
  unusedSuppression,
  unreadableFile,
  staleManifest,
]
