import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { withoutDefiners } from './definers.ts'

async function passed(text: string, chunkBytes: number): Promise<string> {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  )
  return Buffer.concat(await Readable.from(chunks).pipe(withoutDefiners()).toArray()).toString()
}

const row = `INSERT INTO \`t\` VALUES ('CREATE DEFINER=\`a\`@\`b\` ${'é'.repeat(3000)}');\n`
const dump = `${row}/*!50003 CREATE*/ /*!50017 DEFINER=\`o\`\`x\`@\`local host\`*/ /*!50003 TRIGGER t
/*!50106 CREATE*/ /*!50117 DEFINER=\`root\`@\`%\`*/ /*!50106 EVENT e
CREATE DEFINER=\`root\`@\`localhost\` PROCEDURE \`p\`()
/*!50013 DEFINER=\`role\` SQL SECURITY INVOKER */
${row}last line`
const expected = `${row}/*!50003 CREATE*/ /*!50017 */ /*!50003 TRIGGER t
/*!50106 CREATE*/ /*!50117 */ /*!50106 EVENT e
CREATE  PROCEDURE \`p\`()
/*!50013  SQL SECURITY INVOKER */
${row}last line`

for (const chunkBytes of [1, 7, 2048, 100_000])
  test(`removes the definers and nothing else from a dump in chunks of ${chunkBytes} bytes`, async () => {
    assert.equal(await passed(dump, chunkBytes), expected)
  })
