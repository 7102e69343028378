import { patterns, reference, write } from './generated.ts'

// npm run reference
write(reference(), patterns.reference)
