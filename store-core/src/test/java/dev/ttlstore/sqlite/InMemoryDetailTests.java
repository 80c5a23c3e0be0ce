package dev.ttlstore.sqlite;

import org.junit.jupiter.api.Tag;

import dev.ttlstore.contract.ContractPart;

/** The rest of the contract in memory. */
@Tag("variant")
@ContractPart(ContractPart.Tests.DETAILS)
class InMemoryDetailTests extends InMemoryStoreTests {}
