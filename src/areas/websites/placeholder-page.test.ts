import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeholderPage } from './placeholder-page.ts'

test('names the domain and its folder, and loads nothing from elsewhere', () => {
  const page = placeholderPage('shop.example.com')
  assert.match(page, /<h1>shop\.example\.com<\/h1>/)
  assert.match(page, /<code>sites\/shop\.example\.com\/public<\/code>/)
  assert.match(page, /color-scheme: light dark/)
  assert.doesNotMatch(page, /<script|<link|src=|url\(|https?:/)
})

test('escapes the text that it shows', () => {
  const page = placeholderPage('<b title="x">&')
  assert.doesNotMatch(page, /<b /)
  assert.ok(page.includes('<h1>&lt;b title=&quot;x&quot;&gt;&amp;</h1>'))
})
