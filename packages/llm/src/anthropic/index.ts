export { anthropic } from './anthropic.ts'
export { type AnthropicOptions } from './messages-backend.ts'
