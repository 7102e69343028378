import { reference, write } from './generated.ts'

// npm run reference
write(reference(), 'docs/reference')
