package dev.ttlstore.kotlin

import dev.ttlstore.LiveKeyspace
import dev.ttlstore.event.Watch
import dev.ttlstore.event.WatchOptions

/** A store that remembers its watches. */
internal class WatchedStore(private val store: LiveKeyspace) : LiveKeyspace by store {
    val opened = mutableListOf<Watch>()

    override fun watch(options: WatchOptions): Watch = store.watch(options).also(opened::add)
}
