import { z } from '../zod.ts'
import { timeField } from './fields.ts'
import type { Operation } from './operation.ts'

const count = z.int().nonnegative()

/** How much was done in one hour. */
const hourSchema = z.object({
  at: timeField.describe('The beginning of the hour, ISO 8601 in UTC.'),
  unitsCreated: count.describe('Units that were created, of those that there are.'),
  generationsCompleted: count.describe('Generations of units that were asked for, and are completed.'),
  generationsFailed: count.describe('Generations of units that were asked for, and failed.'),
  scansCompleted: count.describe('Scans that were asked for, and are completed.'),
  scansFailed: count.describe('Scans that were asked for, and failed.'),
  deliveriesDelivered: count
    .optional()
    .describe('Deliveries that were made and arrived; for keys with the scope `webhooks`.'),
  deliveriesFailed: count
    .optional()
    .describe('Deliveries that were made and did not arrive; for keys with the scope `webhooks`.'),
})

export const activitySchema = z.object({
  units: count.describe('The number of units.'),
  hours: z.array(hourSchema).describe('The hours, oldest first; the last one is not over.'),
})

export const ACTIVITY_OPERATIONS = {
  getActivity: {
    method: 'GET',
    path: '/v1/projects/{projectId}/activity',
    scope: 'read',
    summary: 'Count what was done in a project, hour by hour',
    query: z.strictObject({
      hours: z.coerce
        .number()
        .pipe(z.int().min(1).max(168))
        .default(24)
        .describe('The number of hours, up to this one. Default 24.'),
    }),
    data: activitySchema,
  },
} as const satisfies Record<string, Operation>
