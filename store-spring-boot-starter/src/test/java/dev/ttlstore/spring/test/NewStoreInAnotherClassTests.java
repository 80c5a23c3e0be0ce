package dev.ttlstore.spring.test;

class NewStoreInAnotherClassTests extends NewStore {}
