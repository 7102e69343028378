import { attack } from './story/swapping-owner.ts'

// the long form has 10,000 rounds (HOSTREEVE_LONG=1)
attack('moving')
