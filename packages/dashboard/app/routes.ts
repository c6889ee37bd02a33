import type { ComponentType } from 'preact'
import type { PageProps } from './page-props.ts'
import type * as Pages from './pages/index.ts'
import { Overview } from './pages/overview.tsx'

type Load = () => Promise<ComponentType<PageProps>>

const later =
  (name: Exclude<keyof typeof Pages, 'Jump'>): Load =>
  async () =>
    (await import('./pages/index.ts'))[name]

/** The pages of the sign-in, which are not loaded in a session. */
export const SIGN_IN: Load = async () => (await import('./pages/sign-in.tsx')).SignIn
export const SIGN_IN_AGAIN: Load = async () => (await import('./pages/sign-in.tsx')).SignInAgain

/** Every page, by its path. */
export const ROUTES: Readonly<Record<string, Load>> = {
  '/': async () => Overview,
  '/webhooks': later('Webhooks'),
  '/webhooks/new': later('NewWebhook'),
  '/webhooks/:webhookId': later('Webhook'),
  '/deliveries': later('AllDeliveries'),
  '/deliveries/:deliveryId': later('Delivery'),
  '/keys': later('Keys'),
  '/units': later('Units'),
  '/units/:unitId': later('Unit'),
  '/generations': later('Generations'),
  '/generations/:generationId': later('Generation'),
  '/connections': later('Connections'),
  '/scans': later('Scans'),
  '/scans/:scanId': later('Scan'),
  '/sources': later('Sources'),
  '/sources/:name': later('Source'),
  '/pushes': later('Pushes'),
  '/pushes/:pushId': later('Push'),
  '/events': later('Events'),
  '/events/:eventId': later('Event'),
  '/findings': later('Analyses'),
  '/findings/:analysisId': later('Findings'),
  '/assistant': later('Assistant'),
  '/assistant/:conversationId': later('Conversation'),
  '/proposals/:proposalId': later('Proposal'),
  '/file': later('ProjectFile'),
  '/audit': later('AuditLog'),
  '/projects': later('Projects'),
  '/bulk': later('Bulk'),
  '/settings': later('Settings'),
}
