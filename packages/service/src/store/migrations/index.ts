import type { Migrations } from '../migrate.ts'
import {
  analysisTables,
  auditLog,
  changesOfUnits,
  deliveryLists,
  fixPushes,
  generationRetention,
  proposedModels,
  pushContents,
  pushPlans,
  scanBudgets,
  scanBytes,
  sessionTables,
  skippedParts,
  sourceProfiles,
} from './later-tables.ts'
import { changeLog, talkChanges } from './change-log.ts'
import { assistantTables } from './assistant-tables.ts'
import { firstTables } from './first-tables.ts'
import { sharedTexts } from './shared-texts.ts'
import { startPublished } from './start-published.ts'

/** In the order of their names, which never change after a release. */
export const MIGRATIONS: Migrations = {
  '0001_first_tables': firstTables,
  '0002_push_contents': pushContents,
  '0003_skipped_parts': skippedParts,
  '0004_push_plans': pushPlans,
  '0005_analyses': analysisTables,
  '0006_fix_pushes': fixPushes,
  '0007_source_profiles': sourceProfiles,
  '0008_scan_budgets': scanBudgets,
  '0009_start_published': startPublished,
  '0010_sessions': sessionTables,
  '0011_change_log': changeLog,
  '0012_delivery_lists': deliveryLists,
  '0013_audit_log': auditLog,
  '0014_generation_retention': generationRetention,
  '0015_assistant': assistantTables,
  '0016_talk_changes': talkChanges,
  '0017_shared_texts': sharedTexts,
  '0018_proposed_models': proposedModels,
  '0019_changes_of_units': changesOfUnits,
  '0020_scan_bytes': scanBytes,
}
