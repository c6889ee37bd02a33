export { type OpenAiCompatibleOptions } from './chat-backend.ts'
export { openaiCompatible } from './openai-compatible.ts'
