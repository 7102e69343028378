import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { factsAsIn, factsIn, textOf, withFacts } from './facts.ts'

describe('the facts of a service or an account', () => {
  const text = 'home: /home/ada\nshell: /bin/bash\n'

  test('are a text in one order, which is parsed again', () => {
    assert.equal(textOf({ shell: '/bin/bash', home: '/home/ada' }), text)
    assert.deepEqual(factsIn(text), { home: '/home/ada', shell: '/bin/bash' })
    assert.deepEqual(factsIn(''), {})
  })

  test('are replaced one at a time', () => {
    assert.equal(withFacts(text, { shell: '/bin/sh' }), 'home: /home/ada\nshell: /bin/sh\n')
    for (const none of [null, undefined])
      assert.equal(withFacts(none, { shell: '/bin/sh' }), 'shell: /bin/sh\n')
  })

  test('are compared only as far as the panel has set them', () => {
    assert.equal(factsAsIn(text, 'shell: /bin/sh\n'), 'shell: /bin/bash\n')
  })
})
