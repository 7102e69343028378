import { asInWork } from '../../../src/app/memory.ts'

// Imported before a server that is measured under load from its start on.
asInWork()
