import { createHash } from 'node:crypto'
import { answerUsually, say, startPartner } from '../../../src/areas/aipartner/testing/partner.ts'

// node partner.main.ts PORT: an AI partner. A message that contains "forbidden" blocks the trial. The program of its gateway writes who
// it is, and the SHA-256 of its token, to a file in its home, and ends with status 3 when it finds a file named crash there.
const program = `
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
const { HOME = '', PARTNER_TOKEN_FILE = '', PARTNER_API_URL = '' } = process.env
const token = createHash('sha256').update(readFileSync(PARTNER_TOKEN_FILE)).digest('hex')
writeFileSync(HOME + '/seen.json', JSON.stringify({ uid: process.getuid(), token, url: PARTNER_API_URL }))
console.log('the gateway runs')
setInterval(() => {
  if (!existsSync(HOME + '/crash')) return
  rmSync(HOME + '/crash')
  process.exit(3)
}, 100)
`
const partner = await startPartner(Number(process.argv[2]))
const sha256 = createHash('sha256').update(program).digest('hex')
partner.agent = { content: program, sha256, version: '1.4.0' }
partner.onMessage = (chat, text) => {
  if (!text.includes('forbidden')) return answerUsually(chat, text)
  say(chat, { type: 'blocked', text: 'The trial was misused' })
}
