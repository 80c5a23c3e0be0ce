/**
 * An application with a test suite, neither of which knows of the store. Its tests are not named {@code *Tests}, so that only
 * {@code ExistingSuiteTests} runs them: in a process of their own, with and without the starter.
 */
package org.example.orders;
