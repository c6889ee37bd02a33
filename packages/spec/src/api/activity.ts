import { z } from '../zod.ts'
import { timeField } from './fields.ts'
import type { Operation } from './operation.ts'

const count = z.int().nonnegative()

/** The activity of one hour. */
const hourSchema = z.object({
  at: timeField.describe('The beginning of the hour, ISO 8601 in UTC.'),
  unitsCreated: count.describe('Units that were created in this hour and still exist.'),
  generationsCompleted: count.describe(
    'Generations of units that were requested in this hour and completed.',
  ),
  generationsFailed: count.describe('Generations of units that were requested in this hour and failed.'),
  scansCompleted: count.describe('Scans that were requested in this hour and completed.'),
  scansFailed: count.describe('Scans that were requested in this hour and failed.'),
  deliveriesDelivered: count
    .optional()
    .describe('Deliveries that were created in this hour and arrived; for keys with the scope `webhooks`.'),
  deliveriesFailed: count
    .optional()
    .describe('Deliveries that were created in this hour and failed; for keys with the scope `webhooks`.'),
})

export const activitySchema = z.object({
  units: count.describe('The number of units.'),
  hours: z.array(hourSchema).describe('The hours, oldest first. The last one is still in progress.'),
})

export const ACTIVITY_OPERATIONS = {
  getActivity: {
    method: 'GET',
    path: '/v1/projects/{projectId}/activity',
    scope: 'read',
    summary: 'Count the activity of a project by the hour',
    query: z.strictObject({
      hours: z.coerce
        .number()
        .pipe(z.int().min(1).max(168))
        .default(24)
        .describe('The number of hours, including the current one. Default 24.'),
    }),
    data: activitySchema,
  },
} as const satisfies Record<string, Operation>
